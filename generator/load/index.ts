export { canonicalForm, structuralFingerprint } from './fingerprint.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { Limits } from './limits.js';
export {
  identify,
  loadRevision,
  loadSchema,
  loadSource,
  schemaName,
  upstreamSources,
} from './load.js';
export type { LoadedSchema, LoadOptions, UpstreamSource } from './load.js';
export {
  bundledSchemaPath,
  isRevision,
  packageRoot,
  readIfPresent,
  readRevision,
  readSource,
  REVISIONS,
} from './source.js';
export type { Revision, Source } from './source.js';
export { generatorHash, packageVersion } from './version.js';
