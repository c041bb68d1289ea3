export { explorePage, exploreSections, exploreSummary } from './page.js';
export type { Section, Subject } from './page.js';
