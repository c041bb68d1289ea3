export { contains } from './contains.js';
export { equal } from './equal.js';
export type { Joined, Scoped } from './joined.js';
export type { Schemas, Values } from './proof.js';
export { rulesOf } from './rules.js';
