export { structuralDifferences } from './compare.js';
export type { StructuralDifference } from './compare.js';
export { readRefs } from './named.js';
export type { NamedDocument, Ref } from './named.js';
export { canonicalForm, structuralFingerprint } from './fingerprint.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { Limits } from './limits.js';
export {
  identify,
  loadRevision,
  loadSchema,
  loadSource,
  parseSource,
  schemaName,
  upstreamSources,
} from './load.js';
export type { LoadedSchema, LoadOptions, UpstreamSource } from './load.js';
export {
  bundledSchemaPath,
  isFolder,
  isRevision,
  isUrl,
  packageRoot,
  readIfPresent,
  readRevision,
  readSource,
  REVISIONS,
} from './source.js';
export type { Revision, Source } from './source.js';
export { readChangelog, readRuntimePackage, readToolPackage } from './carried-packages.js';
export type { CarriedPackage } from './carried-packages.js';
export { readPackageFolder, readSupport } from './tree.js';
export { generatorHash, packageVersion } from './version.js';
