export { emitValidators } from './emit-validators.js';
