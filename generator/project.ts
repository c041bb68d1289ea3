import { quote } from './diagnostics/index.js';
import { readChangelog, readPackageFolder, readRuntimePackage } from './load/index.js';
import {
  changesSince,
  fromRegistry,
  fromTarball,
  madeFrom,
  makeTool,
  outdatedPackages,
  projectUnits,
  ScaffoldError,
  tarballOf,
  TEMPLATES,
  SERVER_FILE,
  TOOL_LIST,
  versionOf,
  withRuntime,
} from './scaffold/index.js';
import type {
  Choices,
  Outdated,
  RuntimeDependency,
  Template,
  ToolTraits,
} from './scaffold/index.js';
import { planDeletion, planFiles } from './write/index.js';
import type { Folder, Plan } from './write/index.js';

export interface ProjectRequest {
  readonly template: Template;
  readonly choices: Choices;
  readonly name: string;
  /** Only read; `applyPlan` writes. */
  readonly folder: Folder;
  /** Overwrite existing files. */
  readonly force: boolean;
  /** A range of the runtime's versions on the registry; without it the project gets a tarball. */
  readonly runtime?: string | undefined;
}

/** Plans a whole project. */
export async function planProject(request: ProjectRequest): Promise<Plan> {
  const { template, choices, name, folder, force } = request;
  const { specifier, files } = runtimeFrom(request.runtime);
  const sources = readPackageFolder(template.folder);
  const units = await projectUnits({ template, choices, name, sources, runtime: specifier });
  return planFiles(folder, [...units, ...files], { force });
}

function runtimeFrom(range: string | undefined): RuntimeDependency {
  if (range !== undefined) return fromRegistry(range);
  const { fileName, bytes } = readRuntimePackage();
  return fromTarball(fileName, bytes);
}

export interface UpdateRequest {
  /** A project's. */
  readonly folder: Folder;
  /** As for a new project. */
  readonly runtime?: string | undefined;
}

export interface Update {
  readonly plan: Plan;
  /** The packages of `package.json` whose versions do not fit the runtime. */
  readonly outdated: readonly Outdated[];
  /** Sections of the changelog, as they are written there. */
  readonly changes: string;
  /** Whether the project's Dockerfile copies `vendor/`, which no longer exists. */
  readonly dockerfileCopiesVendor: boolean;
}

/**
 * Plans another version of the runtime for a project. Only the dependency in `package.json` and the
 * tarball change.
 *
 * @throws {ScaffoldError} when the folder contains no project of mcp-codegen.
 */
export function planUpdate({ folder, runtime }: UpdateRequest): Update {
  const packageText = readProjectFile(folder, 'package.json');
  const made = madeFrom(packageText);
  const template = TEMPLATES.find(({ name }) => name === made.template);
  if (!template) {
    throw new ScaffoldError(
      `package.json names an unknown template: ${quote(made.template)}.`,
      `Known: ${TEMPLATES.map(({ name }) => name).join(', ')}.`,
    );
  }
  const wanted = runtimeFrom(runtime);
  const text = withRuntime(packageText, made.runtime, wanted.specifier);
  const files = [{ path: 'package.json', text }, ...wanted.files];
  const before = tarballOf(made.runtime);
  const isReplaced = before !== undefined && before !== tarballOf(wanted.specifier);
  const theirs = readPackageFolder(template.folder).get(`${template.folder}/package.json`) ?? '{}';
  return {
    plan: [
      ...planFiles(folder, files, { force: true }),
      ...(isReplaced ? planDeletion(folder, before) : []),
    ],
    outdated: outdatedPackages(theirs, packageText),
    changes: changesSince(readChangelog(), versionOf(made.runtime)),
    dockerfileCopiesVendor:
      wanted.files.length === 0 && /^COPY vendor /m.test(folder.read('Dockerfile') ?? ''),
  };
}

export interface ToolRequest extends ToolTraits {
  readonly name: string;
  /** A server's. */
  readonly folder: Folder;
  /** Overwrite an existing tool. */
  readonly force: boolean;
}

/**
 * Plans a tool, its test, and its place in the list of tools.
 *
 * @throws {ScaffoldError} for a bad name, and when the folder contains no server of mcp-codegen.
 */
export async function planTool({ name, folder, force, ...traits }: ToolRequest): Promise<Plan> {
  const { files, changed } = await makeTool(name, traits, {
    list: readProjectFile(folder, TOOL_LIST),
    server: textOf(folder, SERVER_FILE),
    hasTestApp: folder.look('test/app.ts').kind === 'file',
  });
  // Overwrites the user's files, because the command adds a tool to them.
  return [...planFiles(folder, files, { force }), ...planFiles(folder, changed, { force: true })];
}

function readProjectFile(folder: Folder, path: string): string {
  const text = textOf(folder, path);
  if (text !== undefined) return text;
  throw new ScaffoldError(
    `Cannot find ${path} in the current folder.`,
    'Run this in a project of mcp-codegen new server.',
  );
}

function textOf(folder: Folder, path: string): string | undefined {
  return folder.look(path).kind === 'file' ? folder.read(path) : undefined;
}
