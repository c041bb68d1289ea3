import type { SourceUnit } from '../emit/index.js';
import { CLIENT } from './client.js';
import { SERVER } from './server.js';
import type { Choices, Sources, Template, Vendored } from './template.js';
import type { NewTool } from './tool.js';

export { choose, chosenBefore } from './choose.js';
export { checkProjectName } from './names.js';
export { outdatedPackages } from './package-json.js';
export type { Outdated } from './package-json.js';
export { CLIENT } from './client.js';
export { SERVER } from './server.js';
export {
  CHOICES_FILE,
  featuresOf,
  heldBy,
  ScaffoldError,
  TOOL_LIST,
  VENDOR_FOLDER,
} from './template.js';
export type {
  Choice,
  Choices,
  Features,
  Sources,
  Template,
  TemplateOption,
  Vendored,
} from './template.js';
export type { NewTool } from './tool.js';

/** All that there is to make projects from. */
export const TEMPLATES: readonly Template[] = [SERVER, CLIENT];

/** See `project.ts`, which is loaded on demand: TypeScript's compiler comes with it. */
export async function vendorUnits(
  template: Template,
  choices: Choices,
  sources: Sources,
): Promise<Vendored> {
  return await (await import('./project.js')).vendorUnits(template, choices, sources);
}

/** See `project.ts`. */
export async function projectUnits(
  template: Template,
  choices: Choices,
  name: string,
  sources: Sources,
  vendored: Vendored,
): Promise<SourceUnit[]> {
  const { projectUnits: make } = await import('./project.js');
  return await make(template, choices, name, sources, vendored);
}

/** See `tool.ts`. */
export async function makeTool(name: string, listText: string): Promise<NewTool> {
  return await (await import('./tool.js')).makeTool(name, listText);
}
