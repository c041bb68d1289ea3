import { DiagnosticError, quote } from './diagnostics/index.js';
import type { Diagnostic } from './diagnostics/index.js';
import {
  DEFAULT_EMITS,
  emitsFor,
  emitUnits,
  SUPPORT_FOLDER,
  supportFor,
  supportUnits,
} from './emit/index.js';
import type { Emit } from './emit/index.js';
import { header } from './header.js';
import type { Origin } from './header.js';
import type { Job, Product } from './job.js';
import {
  DEFAULT_LIMITS,
  generatorHash,
  canonicalText,
  isUrl,
  readRevision,
  readRefs,
  readSource,
  readSupport,
  schemaFolder,
  shownLocation,
} from './load/index.js';
import type { NamedDocument, Ref, Source } from './load/index.js';
import { protocolFromSource } from './protocol.js';
import { toolsJob } from './tools-input.js';
import type { ToolsInput } from './tools-input.js';
import { isSafePath, makePlan, MANIFEST_FILE, readManifest, sha256, stays } from './write/index.js';
import type { Folder, ManifestEntry, Plan, PlanOptions, Recipe, Wanted } from './write/index.js';

export type { ToolsInput };

/** An input: a bundled revision, a file or URL with an optional name, or the tools of a server. */
export type Input = ProtocolInput | ToolsInput;

export type ProtocolInput = InputSettings & ({ readonly revision: string } | SchemaInput);

export interface SchemaInput {
  readonly location: string;
  /** What the protocol and its folder are called. Default: as `LoadOptions.name`, and as its file. */
  readonly name?: string;
  /** The folder of a protocol without a name, when it is there already. */
  readonly folder?: string;
  /**
   * The location for the manifest: a URL, or a path relative to the output folder. Without it, a run
   * without arguments cannot generate from this input again.
   */
  readonly recordAs?: string;
  /** Documents that its references may lead to; `recordAs` as above. */
  readonly refs?: readonly (Ref & { readonly recordAs?: string })[];
}

/** Where an input differs from the request. */
interface InputSettings {
  readonly emits?: readonly Emit[];
  readonly errata?: boolean;
}

/** What to generate, and the folder to compare with. */
export interface GenerationRequest extends PlanOptions {
  readonly inputs: readonly Input[];
  /** `types` is included, unless only `metamodel` is wanted. */
  readonly emits: readonly Emit[];
  /** Whether to correct the schemas where they contradict their own TypeScript. */
  readonly errata: boolean;
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
  /** An error means that definitions are missing from the generated files. */
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
    const job = await jobOf(input, settings);
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

/** The settings of all inputs. */
interface Settings {
  readonly emits: readonly Emit[];
  readonly errata: boolean;
  /** Hash of the generator itself. */
  readonly generator: string;
  readonly cwd?: string;
}

/** A protocol to generate. */
interface SchemaJob extends Settings {
  readonly name: string;
  /** What the user calls the protocol. */
  readonly given: string | undefined;
  readonly source: Source;
  readonly refs: readonly NamedDocument[];
  readonly origin: Origin;
  /** The hash of all fields above. */
  readonly hash: string;
}

/** Headers name the output folder as seen from itself, so that they are the same wherever a run starts. */
const HERE = ['--out', '.'];

async function jobOf(input: Input, { generator, cwd, ...common }: Settings): Promise<Job> {
  if ('tools' in input) return await toolsJob(input, generator);
  const { name, given, source, refs, label, select } = await read(input, cwd);
  const emits = emitsFor(input.emits ?? common.emits);
  const errata = input.errata ?? common.errata;
  const settings: Settings = { emits, errata, generator };
  const command = [
    'generate',
    ...select,
    ...(emits.join() === DEFAULT_EMITS.join() ? [] : ['--emit', emits.join(',')]),
    ...(errata ? [] : ['--no-errata']),
    ...HERE,
  ];
  const texts = [source, ...refs.map((ref) => ref.source)].map(({ text }) =>
    sha256(canonicalText(text)),
  );
  const origin = { label, sha256: texts[0] ?? '', command };
  const hash = sha256(JSON.stringify([name, settings, label, command, ...texts]));
  const from = recorded(input);
  const recipe = from && { from, emit: emits, errata };
  const job: SchemaJob = { ...settings, name, given, source, refs, origin, hash };
  return { name, label: source.label, hash, recipe, produce: async () => await produce(job) };
}

function recorded(input: ProtocolInput): Recipe['from'] | undefined {
  if ('revision' in input) return { revision: input.revision };
  const { name, recordAs, refs = [] } = input;
  const recordedRefs = refs.flatMap(({ uri, recordAs: file }) =>
    file === undefined ? [] : [[uri, file] as const],
  );
  if (recordAs === undefined || recordedRefs.length < refs.length) return undefined;
  return {
    schema: shownLocation(recordAs),
    ...(name !== undefined && { name }),
    ...(refs.length > 0 && { refs: Object.fromEntries(recordedRefs) }),
  };
}

interface ReadInput {
  /** Also the folder. */
  readonly name: string;
  readonly given: string | undefined;
  readonly source: Source;
  readonly refs: readonly NamedDocument[];
  readonly label: string;
  /** The arguments that choose this input. */
  readonly select: readonly string[];
}

async function read(input: ProtocolInput, cwd: string | undefined): Promise<ReadInput> {
  if ('revision' in input) {
    const name = input.revision;
    const source = readRevision(name);
    return { name, given: undefined, source, refs: [], label: name, select: [name] };
  }
  const source = await readSource(input.location, DEFAULT_LIMITS, cwd);
  const { name: given } = input;
  const name = given ?? input.folder ?? folderName(schemaFolder(source));
  const label = baseName(source.label);
  const schema = shownLocation(input.recordAs ?? (isUrl(source.label) ? source.label : label));
  const refs = readRefs(input.refs ?? [], DEFAULT_LIMITS, cwd);
  const named = [...(input.refs ?? [])]
    .sort(byUri)
    .flatMap(({ uri, file, recordAs = baseName(file) }) => ['--ref', `${uri}=${recordAs}`]);
  const select = ['--schema', schema, ...(given === undefined ? [] : ['--name', given]), ...named];
  return { name, given, source, refs, label, select };
}

function byUri(one: Ref, other: Ref): number {
  return one.uri < other.uri ? -1 : 1;
}

/** Whether a name is allowed for a protocol's folder and is not reserved. */
export function isProtocolName(name: string): boolean {
  const free = ![MANIFEST_FILE, SUPPORT_FOLDER].includes(name.toLowerCase());
  return /^[A-Za-z0-9_][\w.-]*$/.test(name) && isSafePath(name) && free;
}

/** A schema in `support.json` goes to `support-schema`. */
function folderName(name: string): string {
  return isProtocolName(name) ? name : `${name}-schema`;
}

/** `https://example.com/a/schema.json?x` and `/home/me/schema.json` → `schema.json`. */
function baseName(location: string): string {
  const path = isUrl(location) ? new URL(location).pathname : location;
  return path.split(/[/\\]/).filter(Boolean).at(-1) ?? 'schema';
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
      help: 'Give one of them another name with --name, or remove it.',
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

async function produce(job: SchemaJob): Promise<Product> {
  const { name, given, source, refs, origin, emits, errata, hash } = job;
  const options = { errata, refs, ...(given !== undefined && { name: given }) };
  const { protocol, diagnostics } = protocolFromSource(source, options);
  const units = await emitUnits(protocol, emits);
  const files = new Map(
    units.map(({ path, text, comment }) => [
      `${name}/${path}`,
      { text: comment ? header(origin, comment) + text : text },
    ]),
  );
  const support = supportFor(units.map(({ text }) => text));
  const wanted = { name, input: hash, clean: diagnostics.length === 0, files, support };
  return { wanted, diagnostics };
}
