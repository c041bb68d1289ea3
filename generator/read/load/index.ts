export { structuralDifferences } from './compare.js';
export type { StructuralDifference } from './compare.js';
export { dataFilesBelow } from './documents-below.js';
export { ANY_URI, readRefs } from './named.js';
export type { NamedDocument, Ref } from './named.js';
export { structuralFingerprint } from './fingerprint.js';
export { DEFAULT_LIMITS } from './limits.js';
export type { Limits } from './limits.js';
export { loadRevision, loadSchema, loadSource, parseSource, schemaFolder } from './load.js';
export { interpret } from './interpret.js';
export type { LoadedSchema, LoadOptions, Recognized } from './interpret.js';
export { closestRevision, draftOf, identify, upstreamSources } from './nearest.js';
export type { UpstreamSource } from './nearest.js';
export {
  bundledSchemaPath,
  isFolder,
  isRevision,
  packageRoot,
  readIfPresent,
  readRevision,
  readSource,
} from './source.js';
export type { Source } from './source.js';
export { isUrl, shownLocation } from './location.js';
export { jsonOfYaml } from './yaml.js';
export { withoutPointer } from './pointer.js';
export { canonicalText } from './canonical-text.js';
export { REVISIONS } from '../../ir/revisions/index.js';
export type { Revision } from '../../ir/revisions/index.js';
export { naming, parse } from './parse.js';
export {
  readChangelogs,
  readRuntimePackage,
  readToolPackage,
  releasedRange,
} from './carried-packages.js';
export { packFolder } from './tarball.js';
export type { Tarball } from './tarball.js';
export { readPackageFolder, readSupport } from './tree.js';
export { generatorHash, packageVersion } from './version.js';
