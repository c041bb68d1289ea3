export { dataElement } from './data.js';
export { framePage, isPageOf, rendered } from './frame.js';
export type { Assets, Content, Parts } from './frame.js';
export { withPolicy } from './policy.js';
export { SearchField } from './search.js';
export { Fact, joined, WithCode } from './text.js';
export { many, sayDuration, sayNumber, visible } from './words.js';
