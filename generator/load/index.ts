export { canonicalForm, structuralFingerprint } from './fingerprint.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { Limits } from './limits.js';
export { identify, loadRevision, loadSchema, upstreamSources } from './load.js';
export type { LoadedSchema, LoadOptions, UpstreamSource } from './load.js';
export { bundledSchemaPath, isRevision, packageRoot, readSource, REVISIONS } from './source.js';
export type { Revision, Source } from './source.js';
