import { DiagnosticError, quote } from './diagnostics/index.js';
import type { Diagnostic } from './diagnostics/index.js';
import { EMITS, emitUnits, SUPPORT_FOLDER, supportFor, supportUnits } from './emit/index.js';
import type { Emit } from './emit/index.js';
import { header } from './header.js';
import type { Origin } from './header.js';
import {
  DEFAULT_LIMITS,
  generatorHash,
  isUrl,
  readRevision,
  readSource,
  readSupport,
  schemaName,
} from './load/index.js';
import type { Source } from './load/index.js';
import { protocolFromSource } from './protocol.js';
import { isSafePath, makePlan, MANIFEST_FILE, readManifest, sha256 } from './write/index.js';
import type { Folder, ManifestEntry, Plan, PlanOptions, Wanted } from './write/index.js';

/** What to generate from: a bundled revision, or a file or URL under a name of the caller's. */
export type Input =
  { readonly revision: string } | { readonly location: string; readonly name?: string };

export interface GenerationRequest extends PlanOptions {
  readonly inputs: readonly Input[];
  /** Types always come, whether listed or not. */
  readonly emits: readonly Emit[];
  /** Whether to correct the schemas where they contradict their own TypeScript. */
  readonly errata: boolean;
  /** Looked at, never written to: see `applyPlan`. */
  readonly folder: Folder;
  /** Called as each protocol is done. */
  readonly onProtocol?: (done: GeneratedProtocol) => void;
}

export interface GeneratedProtocol {
  /** Also the name of its folder. */
  readonly name: string;
  /** A revision, a path as the caller wrote it, or a URL. */
  readonly source: string;
  /** The folder is as this input left it: nothing had to be generated. */
  readonly unchanged: boolean;
  /** Paths below the output folder. */
  readonly files: readonly string[];
}

export interface GenerationResult {
  readonly protocols: readonly GeneratedProtocol[];
  readonly plan: Plan;
  /** With an error among them, definitions are missing from what was generated. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans the output folder for the inputs; `applyPlan` then writes it. Inputs that the folder was
 * generated from already are known by their hash and cost next to nothing.
 *
 * @throws {DiagnosticError} when a schema cannot be read at all, or two would share a folder.
 */
export async function generate(request: GenerationRequest): Promise<GenerationResult> {
  const { folder, inputs, onProtocol } = request;
  const emits = EMITS.filter((emit) => emit === 'types' || request.emits.includes(emit));
  const settings: Settings = { emits, errata: request.errata, generator: generatorHash() };
  const known = readManifest(folder)?.protocols;
  const wanted: Wanted[] = [];
  const protocols: GeneratedProtocol[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const input of inputs) {
    const job = await jobOf(input, settings);
    refuseClash(job, protocols);
    const kept = keep(job, known?.get(job.name), folder);
    const { protocol, found } = kept ? { protocol: kept, found: [] } : await produce(job);
    wanted.push(protocol);
    diagnostics.push(...found);
    const done: GeneratedProtocol = {
      name: job.name,
      source: job.source.label,
      unchanged: kept !== undefined,
      files: [...protocol.files.keys()],
    };
    protocols.push(done);
    onProtocol?.(done);
  }
  const others = request.prune ? [] : [...(known ?? [])].filter(([name]) => isOther(name, wanted));
  const shared = support([...wanted, ...others.map(([, entry]) => entry)], settings, known, folder);
  wanted.push(shared);
  if (changes(shared, known?.get(SUPPORT_FOLDER))) {
    diagnostics.push(...others.filter(([, { files }]) => uses(files)).map(([name]) => stale(name)));
  }
  return { protocols, plan: makePlan(folder, wanted, request), diagnostics };
}

/** Whether a protocol that is in the folder stays there as it is. */
function isOther(name: string, wanted: readonly Wanted[]): boolean {
  return name !== SUPPORT_FOLDER && wanted.every((each) => each.name !== name);
}

/** The modules that the folder's protocols share: written once, gone when no protocol needs them. */
function support(
  protocols: readonly { readonly files: ReadonlyMap<string, unknown> }[],
  { generator }: Settings,
  known: ReadonlyMap<string, ManifestEntry> | undefined,
  folder: Folder,
): Wanted {
  const names = supportFor(protocols.flatMap(({ files }) => [...files.keys()]));
  const name = SUPPORT_FOLDER;
  const hash = sha256(JSON.stringify([generator, names]));
  const kept = keep({ name, hash }, known?.get(name), folder);
  if (kept) return kept;
  const units = names.length > 0 ? supportUnits(names, readSupport()) : [];
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

function uses(files: ReadonlyMap<string, unknown>): boolean {
  return supportFor([...files.keys()]).length > 0;
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

/** What all inputs have in common. */
interface Settings {
  readonly emits: readonly Emit[];
  readonly errata: boolean;
  /** Hash of the generator itself. */
  readonly generator: string;
}

/** One protocol to generate. */
interface Job extends Settings {
  readonly name: string;
  readonly source: Source;
  readonly origin: Origin;
  /** Of all of the above. */
  readonly hash: string;
}

async function jobOf(input: Input, settings: Settings): Promise<Job> {
  const { name, source, label, select } = await read(input);
  if (!isProtocolName(name)) throw new TypeError(`not the name of a folder: ${quote(name)}`);
  const { emits, errata } = settings;
  const command = [
    'generate',
    ...select,
    ...(emits.length < EMITS.length ? ['--emit', emits.join(',')] : []),
    ...(errata ? [] : ['--no-errata']),
  ];
  const origin = { label, text: source.text, command };
  const hash = sha256(JSON.stringify([name, settings, label, command, sha256(source.text)]));
  return { ...settings, name, source, origin, hash };
}

interface ReadInput {
  readonly name: string;
  readonly source: Source;
  readonly label: string;
  /** The arguments that choose this input. */
  readonly select: readonly string[];
}

async function read(input: Input): Promise<ReadInput> {
  if ('revision' in input) {
    const name = input.revision;
    return { name, source: readRevision(name), label: name, select: [name] };
  }
  const source = await readSource(input.location, DEFAULT_LIMITS);
  const name = input.name ?? folderName(schemaName(source));
  const label = baseName(source.label);
  const schema = isUrl(source.label) ? source.label : label;
  return { name, source, label, select: ['--schema', schema, '--name', name] };
}

/** Whether a protocol can go by a name: a folder's below the output's, which nothing else uses. */
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

/** Some file systems do not tell upper case from lower. */
function refuseClash({ name, source }: Job, before: readonly GeneratedProtocol[]): void {
  const other = before.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!other) return;
  throw new DiagnosticError([
    {
      code: 'name-clash',
      severity: 'error',
      message: `${quote(other.source)} and ${quote(source.label)} have the same output folder ${quote(name)}.`,
      source: source.label,
      help: 'Give one of them another name with --name, or remove it.',
    },
  ]);
}

/** What the folder holds already, when that came from the same input and is untouched. */
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
  return { name, input: hash, clean: true, files: new Map(files) };
}

async function produce(job: Job): Promise<{ protocol: Wanted; found: readonly Diagnostic[] }> {
  const { name, source, origin, emits, errata, hash } = job;
  const { protocol, diagnostics } = protocolFromSource(source, { errata });
  const units = await emitUnits(protocol, emits);
  const above = header(origin);
  const files = new Map(units.map(({ path, text }) => [`${name}/${path}`, { text: above + text }]));
  const wanted = { name, input: hash, clean: diagnostics.length === 0, files };
  return { protocol: wanted, found: diagnostics };
}
