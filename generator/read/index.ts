export { circularDefinitions } from './cycles.js';
export { DRAFT_URIS, draftNamed } from './drafts.js';
export type { Draft } from './drafts.js';
export { isObject, isSchema } from './json.js';
export type { JsonObject, JsonSchema } from './json.js';
export { Reading } from './read.js';
export type { ReadDefinition, ReadOptions } from './read.js';
export { documentUri, UNNAMED } from './resources.js';
export type { Path, Place } from './resources.js';
