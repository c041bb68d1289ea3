export { playgroundPage } from './page.js';
export type { PlaygroundParts } from './page.js';
