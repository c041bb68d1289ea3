export { applyPlan, ConflictError } from './apply.js';
export { diskFolder } from './disk.js';
export { asFirstSeen } from './folder.js';
export type { Folder, Found } from './folder.js';
export { MANIFEST_FILE, sha256 } from './manifest.js';
export type { Manifest, ManifestEntry, Recipe } from './manifest.js';
export { memoryFolder } from './memory.js';
export { isSafePath } from './path.js';
export {
  conflictsOf,
  makePlan,
  stays,
  planDeletion,
  planFiles,
  readManifest,
  staleFiles,
} from './plan.js';
export type { Content, NewFile, Plan, PlanOptions, Step, Wanted } from './plan.js';
