export type { Difference, Direction } from './difference.js';
export { walkSchemas } from './walk.js';
export { liftedFrom, witnessOf } from './witness.js';
