export type { Imports } from '../imports.js';
export { emitChecks, emitValidators } from './emit-validators.js';
export { WIRE_FUNCTIONS } from './wire-functions.js';
