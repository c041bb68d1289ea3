export { emitChecks, emitValidators } from './emit-validators.js';
