export { compareSchemas } from './compare.js';
export type { SchemaChange, SchemaVerdict, Witness } from './compare.js';
export type { Direction } from '../../../json-schema/witness/index.js';
export { acceptedValues, valueCheck } from './value-check.js';
export type { ValueCheck } from './value-check.js';
