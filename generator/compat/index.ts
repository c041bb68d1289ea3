export { compareSchemas } from './compare.js';
export type { SchemaChange, SchemaVerdict, Witness } from './compare.js';
export type { Direction } from './difference.js';
