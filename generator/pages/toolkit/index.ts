export { framePage, isPageOf } from './frame.js';
export type { Assets, Content } from './frame.js';
export { Fact, joined, WithCode } from './text.js';
export { many, sayDuration, sayNumber, visible } from './words.js';
