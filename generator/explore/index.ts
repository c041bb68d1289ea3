export { explorePage, GENERATOR } from './page.js';
export type { Assets, Subject } from './page.js';
