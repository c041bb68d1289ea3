export type { Party } from './direction.js';
export { findingAsText, FINDINGS } from './finding.js';
export type { Finding, FindingCode, Severity } from './finding.js';
export { Library } from './library.js';
export type { Extension, Protocols, Validators, Wire } from './protocol.js';
export { mergeCounts, mergeRows, Tally } from './tally.js';
export type { Counts, Row } from './tally.js';
export { LARGEST, validateInput } from './validate.js';
export type { ValidateOptions } from './validate.js';
