export { findingAsText, FINDINGS } from './finding.js';
export type { Finding } from './finding.js';
export { Library } from './library.js';
export type { Definitions, Protocols, Validators, Verdict } from './protocol.js';
export { mergeCounts, mergeRows } from './tally.js';
export type { Counts, Row, Tally } from './tally.js';
export { validateInput } from './validate.js';
export type { ValidateOptions } from './validate.js';
