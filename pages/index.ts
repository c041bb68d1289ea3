export { exploreContent, explorePage } from './explore/page.js';
export type { Subject } from './explore/page.js';
export { REPORT, reportPage } from './report/page.js';
export { isPageOf, withPolicy } from './toolkit/index.js';
export type { Assets } from './toolkit/index.js';
