export { compareSchemas } from './compare.js';
export type { SchemaChange, SchemaVerdict, Witness } from './compare.js';
export type { Direction } from './difference.js';
export { createJudge, TooManySteps } from './judge.js';
export type { Judge, Refusal } from './judge.js';
export { valueCheck } from './value-check.js';
export type { ValueCheck } from './value-check.js';
