export { applyErrata, correctionsIn, errataFor } from './apply.js';
export { ERRATA } from './errata.js';
export type { Erratum } from './errata.js';
