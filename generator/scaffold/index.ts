import type { SourceUnit } from '../emit/index.js';
import { CLIENT } from './client.js';
import type { ProjectOptions } from './project.js';
import { SERVER } from './server.js';
import type { Template } from './template.js';
import type { NewTool, ToolProject } from './tool.js';
import type { ToolTraits } from './tool-text.js';

export { changesSince } from './changelog.js';
export { checkValues, choose } from './choose.js';
export { CLIENT } from './client.js';
export { checkProjectName } from './names.js';
export { madeFrom, outdatedPackages, withDependency } from './package-json.js';
export type { Outdated } from './package-json.js';
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
export { featuresOf, heldBy, ScaffoldError, SERVER_FILE, TOOL_LIST } from './template.js';
export type { Choice, Choices, Features, Sources, Template, TemplateOption } from './template.js';
export type { NewTool, ToolProject } from './tool.js';
export type { ToolTraits } from './tool-text.js';

/** All templates. */
export const TEMPLATES: readonly Template[] = [SERVER, CLIENT];

/** See `project.ts`. It is loaded on demand, because it loads TypeScript's compiler. */
export async function projectUnits(options: ProjectOptions): Promise<SourceUnit[]> {
  return await (await import('./project.js')).projectUnits(options);
}

/** See `tool.ts`. */
export async function makeTool(
  name: string,
  traits: ToolTraits,
  project: ToolProject,
): Promise<NewTool> {
  return await (await import('./tool.js')).makeTool(name, traits, project);
}
