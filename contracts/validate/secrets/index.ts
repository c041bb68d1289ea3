export { isMasked, MARK, messageMasker } from './message.js';
export type { MessageMasker } from './message.js';
export { mayBeMasked, mayBeMaskedForm } from './places.js';
export { followsName, insideResult, isOfSchema, isVerbatim, maskOf, shownAs } from './shown.js';
export type { Inside } from './shown.js';
export { MASK, maskText } from './text.js';
export { maskString } from './value.js';
