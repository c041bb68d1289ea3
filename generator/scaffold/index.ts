import type { SourceUnit } from '../emit/index.js';
import { CLIENT } from './client.js';
import type { Migration } from './migrate.js';
import { MOVES } from './moves.js';
import type { ProjectOptions } from './project.js';
import { SERVER } from './server.js';
import type { Template } from './template.js';
import type { Added, Addition, ReadProject } from './addition.js';

export { changesSince } from './changelog.js';
export { checkValues, choose } from './choose.js';
export { CLIENT } from './client.js';
export { checkProjectName } from './names.js';
export { madeFrom, outdatedPackages, wantsTool, withDependency } from './package-json.js';
export type { Outdated } from './package-json.js';
export type { CodeChange, Migration } from './migrate.js';
export type { ProjectOptions } from './project.js';
export {
  fromSpecifier,
  fromTarball,
  isPlace,
  RUNTIME,
  tarballOf,
  TOOL,
  versionOf,
} from './carried.js';
export type { CarriedDependency } from './carried.js';
export { SERVER } from './server.js';
export { featuresIn, heldBy, ScaffoldError } from './template.js';
export type { Choice, Choices, Features, Sources, Template, TemplateOption } from './template.js';
export type { Added, Addition, ReadProject } from './addition.js';
export type { ToolTraits } from './tool-text.js';

/** All templates. */
export const TEMPLATES: readonly Template[] = [SERVER, CLIENT];

/** See `project.ts`. It is loaded on demand, because it loads TypeScript's compiler. */
export async function projectUnits(options: ProjectOptions): Promise<SourceUnit[]> {
  return await (await import('./project.js')).projectUnits(options);
}

/** See `addition.ts`. */
export async function makeAddition(addition: Addition, read: ReadProject): Promise<Added> {
  return await (await import('./addition.js')).makeAddition(addition, read);
}

/** See `migrate.ts`. */
export async function migrateCode(path: string, text: string): Promise<Migration> {
  // Most files import nothing that has moved.
  if (!MOVES.some(({ module }) => text.includes(module))) return { changes: [], text };
  return await (await import('./migrate.js')).migrate(path, text, MOVES);
}
