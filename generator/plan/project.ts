import { quote } from '../../json-schema/text.js';
import type { SourceUnit } from '../emit/index.js';
import {
  readChangelogs,
  readPackageFolder,
  readRuntimePackage,
  readToolPackage,
  releasedRange,
} from '../read/load/index.js';
import {
  changesSince,
  fromSpecifier,
  fromTarball,
  isPlace,
  madeFrom,
  migrateCode,
  makeAddition,
  outdatedPackages,
  projectUnits,
  ScaffoldError,
  tarballOf,
  TEMPLATES,
  RUNTIME,
  TOOL,
  versionOf,
  wantsTool,
  withDependency,
} from '../scaffold/index.js';
import type {
  Addition,
  CarriedDependency,
  Choices,
  CodeChange,
  Outdated,
  Template,
} from '../scaffold/index.js';
import { planDeletion, planFiles } from '../write/index.js';
import type { Folder, Plan } from '../write/index.js';

export interface ProjectRequest {
  readonly template: Template;
  readonly choices: Choices;
  readonly name: string;
  /** Only read; `applyPlan` writes. */
  readonly folder: Folder;
  /** Overwrite existing files. */
  readonly force: boolean;
  /**
   * A range of versions on the registry, of runtime and tool, or the place of the runtime alone. What it does not name
   * is the one that belongs to this copy of the tool: a tarball, or a range if the copy comes from a registry.
   */
  readonly runtime?: string | undefined;
  /** From the project's folder to that of its npm or Yarn workspace. */
  readonly workspace?: string | undefined;
}

/** Plans a whole project. */
export async function planProject(request: ProjectRequest): Promise<Plan> {
  const { template, choices, name, folder, force } = request;
  const runtime = runtimeFrom(request.runtime);
  const tool = wantsTool(choices) ? toolFrom(request.runtime) : undefined;
  const units = await projectUnits({
    template,
    choices,
    name,
    sources: readPackageFolder(template.folder),
    runtime: runtime.specifier,
    tool: tool?.specifier,
    workspace: request.workspace,
  });
  const carried = [runtime, tool].flatMap((each) => tarballsFor(folder, each));
  return planFiles(folder, [...units, ...carried], { force });
}

/** A tarball that the folder already has stays: its name has a hash of its files, and other versions of zlib compress them to other bytes. */
function tarballsFor(folder: Folder, from?: CarriedDependency): CarriedDependency['files'] {
  return from?.files.filter(({ path }) => folder.look(path).kind !== 'file') ?? [];
}

function runtimeFrom(specifier: string | undefined): CarriedDependency {
  const named = specifier ?? releasedRange();
  if (named !== undefined) return fromSpecifier(named);
  const { fileName, bytes } = readRuntimePackage();
  return fromTarball(fileName, bytes);
}

function toolFrom(runtime: string | undefined): CarriedDependency {
  const range = runtime === undefined || isPlace(runtime) ? releasedRange() : runtime;
  if (range !== undefined) return fromSpecifier(range);
  const { fileName, bytes } = readToolPackage();
  return fromTarball(fileName, bytes);
}

export interface UpdateRequest {
  /** A project's. */
  readonly folder: Folder;
  /** As for a new project. */
  readonly runtime?: string | undefined;
  /** Change the user's code where that is safe. */
  readonly fix: boolean;
}

export interface Update {
  readonly plan: Plan;
  /** The packages of `package.json` whose versions do not fit the runtime. */
  readonly outdated: readonly Outdated[];
  /** The places in the user's code that the new version needs changed. */
  readonly code: readonly CodeChange[];
  /** Sections of the changelogs, as they are written there, each changelog under its title. */
  readonly changes: string;
  /** The line that the project's Dockerfile lacks, or has in vain, now that packages come from elsewhere. */
  readonly dockerfile?: { readonly line: string; readonly isMissing: boolean };
}

/**
 * Plans another version of the runtime and the tool for a project. The dependencies in `package.json` and the tarballs
 * change, and with `fix` the user's imports of what has moved. A project that lacks the tool gets it where its template has it.
 *
 * @throws {ScaffoldError} when the folder contains no project of mcp-codegen.
 */
export async function planUpdate({ folder, runtime, fix }: UpdateRequest): Promise<Update> {
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
  const hasTool = made.wantsTool || made.tool !== undefined;
  const replaced = [
    { name: RUNTIME, before: made.runtime, after: wanted },
    ...(hasTool ? [{ name: TOOL, before: made.tool, after: toolFrom(runtime) }] : []),
  ];
  const text = replaced.reduce(
    (json, { name, before, after }) => withDependency(json, name, before, after.specifier),
    packageText,
  );
  const carried = replaced.flatMap(({ after }) => tarballsFor(folder, after));
  const files = [{ path: 'package.json', text }, ...carried];
  const leftOver = replaced.flatMap(({ before, after }) => {
    const tarball = before === undefined ? undefined : tarballOf(before);
    return tarball === undefined || tarball === tarballOf(after.specifier) ? [] : [tarball];
  });
  const code = await codeChangesIn(folder);
  const theirs = readPackageFolder(template.folder).get(`${template.folder}/package.json`) ?? '{}';
  return {
    plan: [
      ...planFiles(folder, files, { force: true }),
      ...leftOver.flatMap((path) => planDeletion(folder, path)),
      ...(fix ? planFiles(folder, code.files, { force: true }) : []),
    ],
    code: code.changes,
    outdated: outdatedPackages(theirs, packageText),
    changes: readChangelogs()
      .map((text) => changesSince(text, versionOf(made.runtime)))
      .filter((text) => text !== '')
      .join('\n\n'),
    ...dockerfileChange(
      folder,
      replaced.some(({ after }) => after.files.length > 0),
    ),
  };
}

function dockerfileChange(folder: Folder, isVendored: boolean): Pick<Update, 'dockerfile'> {
  const line = 'COPY vendor ./vendor';
  const text = textOf(folder, 'Dockerfile');
  if (text === undefined || /^COPY vendor /m.test(text) === isVendored) return {};
  return { dockerfile: { line, isMissing: isVendored } };
}

/** Folders without code of the user. */
const WITHOUT_CODE = ['node_modules', 'dist', 'vendor', '.git'];

interface CodeChanges {
  readonly changes: readonly CodeChange[];
  /** The files with the changes that are safe. */
  readonly files: readonly SourceUnit[];
}

async function codeChangesIn(folder: Folder): Promise<CodeChanges> {
  const changes: CodeChange[] = [];
  const files: SourceUnit[] = [];
  for (const path of folder.list(WITHOUT_CODE)) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    const before = folder.read(path) ?? '';
    const { text, changes: found } = await migrateCode(path, before);
    changes.push(...found);
    if (text !== before) files.push({ path, text });
  }
  return { changes, files };
}

export interface AdditionRequest {
  readonly addition: Addition;
  /** A server's. */
  readonly folder: Folder;
  /** Overwrite an existing part. */
  readonly force: boolean;
}

export interface PlannedAddition {
  readonly plan: Plan;
  /** Whether it comes with a test. */
  readonly hasTest: boolean;
}

/**
 * Plans a tool, a resource or a prompt, its test, and its place in the user's list.
 *
 * @throws {ScaffoldError} for a bad name, and when the folder contains no server of mcp-codegen.
 */
export async function planAddition(request: AdditionRequest): Promise<PlannedAddition> {
  const { addition, folder, force } = request;
  const { files, changed, hasTest } = await makeAddition(addition, (path) => textOf(folder, path));
  // Overwrites the user's files, because the command adds a part to them.
  const plan = [
    ...planFiles(folder, files, { force }),
    ...planFiles(folder, changed, { force: true }),
  ];
  return { plan, hasTest };
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
