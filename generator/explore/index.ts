export { explorePage } from './page.js';
export type { Subject } from './page.js';
