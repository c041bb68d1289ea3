export { applyErrata } from './apply.js';
export type { Corrected } from './apply.js';
export { ERRATA } from './errata.js';
export type { Erratum } from './errata.js';
