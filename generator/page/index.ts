export { framePage, isPageOf } from './frame.js';
export type { Assets, Content } from './frame.js';
export { Html, html, joined, raw, visible, withCode } from './html.js';
export type { Value } from './html.js';
export { joinModules } from './script.js';
