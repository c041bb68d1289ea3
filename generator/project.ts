import { emitUnits } from './emit/index.js';
import type { SourceUnit } from './emit/index.js';
import { header } from './header.js';
import { readPackageFolder, readRevision, REVISIONS } from './load/index.js';
import { protocolFromSource } from './protocol.js';
import {
  CHOICES_FILE,
  chosenBefore,
  featuresOf,
  makeTool,
  outdatedPackages,
  projectUnits,
  ScaffoldError,
  TEMPLATES,
  TOOL_LIST,
  VENDOR_FOLDER,
  vendorUnits,
} from './scaffold/index.js';
import type { Choices, Features, Outdated, Sources, Template } from './scaffold/index.js';
import { makePlan, planFiles, sha256, subfolder } from './write/index.js';
import type { Folder, Plan, Wanted } from './write/index.js';

export interface ProjectRequest {
  readonly template: Template;
  readonly choices: Choices;
  readonly name: string;
  /** Looked at, never written to: see `applyPlan`. */
  readonly folder: Folder;
  /** Overwrite what is there. */
  readonly force: boolean;
}

/** Plans a whole project: the user's own files, and what is generated in their midst. */
export async function planProject(request: ProjectRequest): Promise<Plan> {
  const { template, choices, name, folder, force } = request;
  const sources = await readSources(template, featuresOf(choices));
  const vendored = await vendorUnits(template, choices, sources);
  const units = await projectUnits(template, choices, name, sources, vendored);
  const plan = planVendored(template, vendored.units, folder, force);
  return [...planFiles(folder, units, { force }), ...plan];
}

export interface UpdateRequest {
  /** A project's. */
  readonly folder: Folder;
  /** Choices that are to be others than before. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Overwrite what was edited. */
  readonly force: boolean;
}

export interface Update {
  readonly plan: Plan;
  /** What the user's `package.json` should say. */
  readonly outdated: readonly Outdated[];
}

/**
 * Plans what is generated in a project anew; nothing else would be touched.
 *
 * @throws {ScaffoldError} when the folder holds no project of ours.
 */
export async function planUpdate({ folder, given, force }: UpdateRequest): Promise<Update> {
  const path = `${VENDOR_FOLDER}/${CHOICES_FILE}`;
  const text = readProjectFile(folder, path);
  const { template, choices } = chosenBefore(TEMPLATES, text, given);
  const sources = await readSources(template, featuresOf(choices));
  const { units, packages } = await vendorUnits(template, choices, sources);
  const theirs = sources.get(`${template.folder}/package.json`) ?? '{}';
  return {
    plan: planVendored(template, units, folder, force),
    outdated: outdatedPackages(theirs, folder.read('package.json') ?? '{}', packages),
  };
}

export interface ToolRequest {
  readonly name: string;
  /** A server's. */
  readonly folder: Folder;
  /** Overwrite a tool that is there. */
  readonly force: boolean;
}

/**
 * Plans a tool, its test, and its place in the list of tools.
 *
 * @throws {ScaffoldError} for a bad name, and when the folder holds no server of ours.
 */
export async function planTool({ name, folder, force }: ToolRequest): Promise<Plan> {
  const { files, list } = await makeTool(name, readProjectFile(folder, TOOL_LIST));
  // The list is the user's, and changing it is what was asked for.
  return [...planFiles(folder, files, { force }), ...planFiles(folder, [list], { force: true })];
}

function readProjectFile(folder: Folder, path: string): string {
  const text = folder.look(path).kind === 'file' ? folder.read(path) : undefined;
  if (text !== undefined) return text;
  throw new ScaffoldError(
    `There is no ${path} here.`,
    'Run this in a project that was made by mcp-codegen new server.',
  );
}

function planVendored(
  { name }: Template,
  units: readonly SourceUnit[],
  folder: Folder,
  force: boolean,
): Plan {
  const files = new Map(units.map(({ path, text }) => [path, { text }]));
  const input = sha256(units.map(({ path, text }) => `${path}\0${text}\0`).join(''));
  const wanted: Wanted = { name, input, clean: true, files };
  const plan = makePlan(subfolder(folder, VENDOR_FOLDER), [wanted], { force, prune: true });
  return plan.map((step) => ({ ...step, path: `${VENDOR_FOLDER}/${step.path}` }));
}

/** The template, the runtime, and the protocol modules, which are generated here and now. */
export async function readSources(template: Template, features: Features): Promise<Sources> {
  const wanted = REVISIONS.filter(
    (revision) => features.has(revision) || template.protocols.includes(revision),
  );
  const modules = await Promise.all(wanted.map(protocolModules));
  return new Map([
    ...readPackageFolder(template.folder),
    ...readPackageFolder('runtime'),
    ...modules.flat(),
  ]);
}

async function protocolModules(revision: string): Promise<[string, string][]> {
  const source = readRevision(revision);
  const { protocol } = protocolFromSource(source);
  const units = await emitUnits(protocol, ['validators', 'protocol']);
  const above = header({ label: revision, text: source.text, command: ['update'] });
  return units.map(({ path, text }) => [`generated/${revision}/${path}`, above + text]);
}
