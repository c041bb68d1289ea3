import type { Draft, RefSiblings } from '../../json-schema/index.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { DEFAULT_EMITS, emitsFor, emitUnits, namedParts, supportFor } from '../emit/index.js';
import type { Emit } from '../emit/index.js';
import { header } from './header.js';
import type { Origin } from './header.js';
import { isProtocolName } from './job.js';
import type { Job, Product } from './job.js';
import {
  ANY_URI,
  canonicalText,
  DEFAULT_LIMITS,
  isRevision,
  isUrl,
  readRefs,
  readRevision,
  readSource,
  schemaFolder,
  shownLocation,
} from '../read/load/index.js';
import type { NamedDocument, Ref, Source } from '../read/load/index.js';
import { protocolFromSource } from '../protocol/protocol.js';
import { sha256 } from '../write/index.js';
import type { Recipe } from '../write/index.js';

/** A bundled revision, or a file or URL with an optional name. */
export type ProtocolInput = InputSettings & ({ readonly revision: string } | SchemaInput);

export interface SchemaInput {
  readonly location: string;
  /** What the protocol and its folder are called. Default: as `LoadOptions.name` says, and as its file. */
  readonly name?: string;
  /** What a schema without `$schema` is read as. */
  readonly draft?: Draft;
  /** What becomes of the keywords beside a `$ref` up to draft-07. Default: `ignore`, with a warning. */
  readonly refSiblings?: RefSiblings;
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

/** The settings of all inputs. */
export interface Settings {
  readonly emits: readonly Emit[];
  readonly errata: boolean;
  /** Whether a fault of a schema is an error. Default: false, a warning. */
  readonly strict?: boolean;
  /** Hash of the generator itself. */
  readonly generator: string;
  readonly cwd?: string;
}

/** How a schema is read, where its user says it. */
type Dialect = Pick<SchemaInput, 'draft' | 'refSiblings'>;

/** A protocol to generate. */
interface SchemaJob extends Settings {
  readonly name: string;
  /** What the user calls the protocol. */
  readonly given: string | undefined;
  readonly source: Source;
  readonly refs: readonly NamedDocument[];
  readonly dialect: Dialect;
  readonly origin: Origin;
  /** The hash of all fields above. */
  readonly hash: string;
}

/** Headers name the output folder as seen from itself, so that they are the same wherever a run starts. */
const HERE = ['--out', '.'];

/** @throws {DiagnosticError} when the schema cannot be read at all. */
export async function protocolJob(
  input: ProtocolInput,
  { generator, cwd, ...common }: Settings,
): Promise<Job> {
  const { name, given, source, refs, dialect, texts, label, select } = await read(input, cwd);
  const emits = emitsFor(input.emits ?? common.emits);
  const errata = input.errata ?? common.errata;
  const { strict = false } = common;
  const settings: Settings = { emits, errata, generator };
  const command = [
    'generate',
    ...select,
    ...(emits.join() === DEFAULT_EMITS.join() ? [] : ['--emit', emits.join(',')]),
    ...(errata ? [] : ['--no-errata']),
    ...HERE,
  ];
  const hashes = texts.map(sha256);
  const origin = { label, sha256: hashes[0] ?? '', command };
  const hash = sha256(JSON.stringify([name, settings, label, command, ...hashes]));
  const from = recorded(input);
  const recipe = from && { from, emit: emits, errata };
  const job: SchemaJob = { ...settings, strict, name, given, source, refs, dialect, origin, hash };
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
    ...dialectOf(input),
  };
}

function dialectOf({ draft, refSiblings }: SchemaInput): Dialect {
  return { ...(draft && { draft }), ...(refSiblings && { refSiblings }) };
}

interface ReadInput {
  /** Also the folder. */
  readonly name: string;
  readonly given: string | undefined;
  readonly source: Source;
  readonly refs: readonly NamedDocument[];
  readonly dialect: Dialect;
  /** What the source and the named documents are known by. */
  readonly texts: readonly string[];
  readonly label: string;
  /** The arguments that choose this input. */
  readonly select: readonly string[];
}

async function read(input: ProtocolInput, cwd: string | undefined): Promise<ReadInput> {
  if ('revision' in input) {
    const name = input.revision;
    const source = readRevision(name);
    const texts = [source.text];
    const none = { given: undefined, refs: [], dialect: {} };
    return { ...none, name, source, texts, label: name, select: [name] };
  }
  const source = await readSource(input.location, DEFAULT_LIMITS, cwd);
  const { name: given } = input;
  const dialect = dialectOf(input);
  const name = given ?? input.folder ?? folderName(schemaFolder(source));
  const label = baseName(source.label);
  const pointer = source.at ? jsonPointer(source.at) : '';
  const place = isUrl(source.label) ? source.label : label;
  const schema = shownLocation(input.recordAs ?? (pointer ? `${place}#${pointer}` : place));
  const refs = readRefs(input.refs ?? [], DEFAULT_LIMITS, cwd);
  const named = [...(input.refs ?? [])]
    .sort(byUri)
    .flatMap(({ uri, file, recordAs = baseName(file) }) => [
      '--ref',
      uri === ANY_URI ? recordAs : `${uri}=${recordAs}`,
    ]);
  const select = [
    ...['--schema', schema],
    ...(given === undefined ? [] : ['--name', given]),
    ...(dialect.draft ? ['--draft', dialect.draft] : []),
    ...(dialect.refSiblings ? ['--ref-siblings', dialect.refSiblings] : []),
    ...named,
  ];
  const texts = [source, ...refs.map((ref) => ref.source)].map(({ text }) => canonicalText(text));
  return { name, given, source, refs, dialect, texts, label, select };
}

function byUri(one: Ref, other: Ref): number {
  return one.uri < other.uri ? -1 : 1;
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

async function produce(job: SchemaJob): Promise<Product> {
  const { name, given, source, refs, dialect, origin, emits, errata, strict = false, hash } = job;
  const options = {
    errata,
    strict,
    refs,
    ...(given !== undefined && { name: given }),
    ...dialect,
  };
  const { protocol, diagnostics } = protocolFromSource(source, options);
  // The names of a revision are those of its specification.
  const whole = isRevision(source.label) ? protocol : namedParts(protocol);
  const units = await emitUnits(whole, emits);
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
