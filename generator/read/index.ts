export { circularDefinitions } from './cycles.js';
export { DRAFT_URIS, draftNamed, isUndated } from './drafts.js';
export { isObject, isSchema } from './json.js';
export type { JsonObject, JsonSchema } from './json.js';
export { isKeyword } from './keywords.js';
export { Reading } from './read.js';
export type { ReadDefinition, ReadOptions } from './read.js';
export { documentUri, UNNAMED } from './resources.js';
export type { Path, Place } from './resources.js';
