import { DiagnosticError } from '../diagnostics/index.js';
import { quote } from '../../json-schema/text.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { SUPPORT_FOLDER, supportFor, supportUnits } from '../emit/index.js';
import type { Emit } from '../emit/index.js';
import { isProtocolName } from './job.js';
import type { Job } from './job.js';
import { readSupport } from '../read/load/tree.js';
import { generatorHash } from '../read/load/version.js';
import { protocolJob } from './protocol-job.js';
import type { ProtocolInput, SchemaInput, Settings } from './protocol-job.js';
import { toolsJob } from './tools-job.js';
import type { ToolsInput } from './tools-job.js';
import { makePlan, readManifest, sha256, stays } from '../write/index.js';
import type { Folder, ManifestEntry, Plan, PlanOptions, Wanted } from '../write/index.js';

export type { ProtocolInput, SchemaInput, ToolsInput };

/** An input: a bundled revision, a file or URL with an optional name, or the tools of a server. */
export type Input = ProtocolInput | ToolsInput;

/** What to generate, and the folder to compare with. */
export interface GenerationRequest extends PlanOptions {
  readonly inputs: readonly Input[];
  /** `types` is included, unless only `metamodel` is wanted. */
  readonly emits: readonly Emit[];
  /** Whether to correct the schemas where they contradict their own TypeScript. */
  readonly errata: boolean;
  /** Whether a fault of a schema, which costs its place, is an error. Default: false, a warning. */
  readonly strict?: boolean;
  /** The folder that the locations of inputs are relative to. Default: the working directory. */
  readonly cwd?: string;
  /** Only read; `applyPlan` writes. */
  readonly folder: Folder;
  /** Called after each protocol. */
  readonly onProtocol?: (done: GeneratedProtocol) => void;
}

/** One protocol of a run. */
export interface GeneratedProtocol {
  /** Also the name of its folder. */
  readonly name: string;
  /** A revision, a path as the caller wrote it, or a URL without what may be secret. */
  readonly source: string;
  /** Whether the folder was up to date, so that nothing was generated. */
  readonly unchanged: boolean;
  /** Paths below the output folder. */
  readonly files: readonly string[];
}

/** What a run would change. */
export interface GenerationResult {
  readonly protocols: readonly GeneratedProtocol[];
  readonly plan: Plan;
  /** An error means that a part is missing from the generated files, or with `strict` that a schema has a fault. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans the output folder for the inputs; `applyPlan` then writes it. A hash detects inputs that the
 * folder was already generated from, so they cost next to nothing.
 *
 * @throws {DiagnosticError} when a schema cannot be read at all, or two would share a folder.
 */
export async function generate(request: GenerationRequest): Promise<GenerationResult> {
  const { folder, inputs, onProtocol } = request;
  const settings: Settings = { ...request, generator: generatorHash() };
  const known = readManifest(folder)?.protocols;
  const wanted: Wanted[] = [];
  const protocols: GeneratedProtocol[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const input of inputs) {
    const job =
      'tools' in input ? await toolsJob(input, settings) : await protocolJob(input, settings);
    if (!isProtocolName(job.name)) {
      throw new TypeError(`not the name of a folder: ${quote(job.name)}`);
    }
    refuseClash(job, protocols);
    const kept = keep(job, known?.get(job.name), folder);
    const product = kept ? { wanted: kept, diagnostics: [] } : await job.produce();
    wanted.push({ ...product.wanted, ...(job.recipe && { recipe: job.recipe }) });
    for (const diagnostic of product.diagnostics) diagnostics.push(diagnostic);
    const done: GeneratedProtocol = {
      name: job.name,
      source: job.label,
      unchanged: kept !== undefined,
      files: [...product.wanted.files.keys()],
    };
    protocols.push(done);
    onProtocol?.(done);
  }
  const others = [...(known ?? [])].filter(
    ([name, entry]) => isOther(name, wanted) && stays(entry, request),
  );
  const needs = new Map(others.map(([name, entry]) => [name, needsOf(entry, folder)]));
  const names = [...wanted.map((each) => needsOf(each, folder)), ...needs.values()].flat();
  const shared = support([...new Set(names)].sort(), settings, known, folder);
  wanted.push(shared);
  const changed = changes(shared, known?.get(SUPPORT_FOLDER));
  for (const [name, modules] of needs) {
    if (isStale(modules, changed, shared)) diagnostics.push(stale(name));
  }
  return { protocols, plan: makePlan(folder, wanted, request), diagnostics };
}

/** Whether a protocol of the folder is not among the inputs. */
function isOther(name: string, wanted: readonly Wanted[]): boolean {
  return name !== SUPPORT_FOLDER && wanted.every((each) => each.name !== name);
}

/** The support modules that a protocol's files import. Manifests of older versions do not say it. */
function needsOf(entry: Wanted | ManifestEntry, folder: Folder): readonly string[] {
  if (entry.support) return entry.support;
  const texts = [...entry.files.keys()].map((path) => folder.read(path) ?? '');
  return supportFor(texts);
}

/** The shared modules of the folder's protocols. They are deleted when no protocol needs them. */
function support(
  names: readonly string[],
  { generator }: Settings,
  known: ReadonlyMap<string, ManifestEntry> | undefined,
  folder: Folder,
): Wanted {
  const name = SUPPORT_FOLDER;
  const hash = sha256(JSON.stringify([generator, names]));
  const kept = keep({ name, hash }, known?.get(name), folder);
  if (kept) return kept;
  const sources = names.length > 0 ? readSupport() : new Map<string, string>();
  // A protocol of another version may import modules that this version does not have.
  const units = supportUnits(
    names.filter((each) => sources.has(each)),
    sources,
  );
  const files = new Map(units.map(({ path, text }) => [path, { text }]));
  return { name, input: hash, clean: true, files };
}

/** Whether a module that is in the folder already gets another text. */
function changes({ files }: Wanted, before: ManifestEntry | undefined): boolean {
  return [...(before?.files ?? [])].some(([path, hash]) => {
    const next = files.get(path);
    return next !== undefined && hash !== ('text' in next ? sha256(next.text) : next.sha256);
  });
}

/** Whether a protocol that was not generated again imports modules that changed or no longer exist. */
function isStale(modules: readonly string[], changed: boolean, { files }: Wanted): boolean {
  if (modules.length === 0) return false;
  return changed || modules.some((name) => !files.has(`${SUPPORT_FOLDER}/${name}`));
}

function stale(name: string): Diagnostic {
  return {
    code: 'stale-protocol',
    severity: 'warning',
    message: `The modules that ${quote(name)} shares have changed, and ${quote(name)} was not generated again.`,
    source: name,
    help: `Generate ${quote(name)} as well.`,
  };
}

/** Compares without case, because some file systems ignore case. */
function refuseClash({ name, label }: Job, before: readonly GeneratedProtocol[]): void {
  const other = before.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!other) return;
  throw new DiagnosticError([
    {
      code: 'name-clash',
      severity: 'error',
      message: `${quote(other.source)} and ${quote(label)} have the same output folder ${quote(name)}.`,
      source: label,
      help: 'Give one of them another name, with --name or in mcp-codegen.json, or remove it.',
    },
  ]);
}

/** The files of the folder, if they came from the same input and were not edited. */
function keep(
  { name, hash }: Pick<Job, 'name' | 'hash'>,
  entry: ManifestEntry | undefined,
  folder: Folder,
): Wanted | undefined {
  if (!entry?.clean || entry.input !== hash) return undefined;
  for (const [path, expected] of entry.files) {
    const found = folder.look(path);
    if (found.kind !== 'file' || found.sha256 !== expected) return undefined;
  }
  const files = [...entry.files].map(([path, value]) => [path, { sha256: value }] as const);
  const { support: needed } = entry;
  return {
    name,
    input: hash,
    clean: true,
    files: new Map(files),
    ...(needed && { support: needed }),
  };
}
