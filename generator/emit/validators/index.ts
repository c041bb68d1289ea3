export { emitValidators } from './emit.js';
