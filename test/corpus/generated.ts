import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { emitUnits } from '../../generator/emit/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import { DEFAULT_LIMITS, readRefs, readSource } from '../../generator/read/load/index.js';
import type { NamedDocument, Ref, Source } from '../../generator/read/load/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import { supportFiles } from '../support/emitted.js';
import { temporaryFolder } from '../support/stores.js';
import { compileWith } from '../support/ts-compile.js';
import type { TypeScriptVersion } from '../support/ts-compile.js';
import type { Foreign } from './foreign.js';

/** What is generated from a schema; its files import `../support`. */
export interface Generated {
  readonly foreign: Foreign;
  readonly json: JsonValue;
  readonly protocol: Protocol;
  readonly documents: ReadonlyMap<string, JsonValue>;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: ReadonlyMap<string, string>;
}

/** Why nothing is generated: a refusal has diagnostics, a crash has none. */
export interface Failed {
  readonly foreign: Foreign;
  readonly refusal?: readonly Diagnostic[];
  readonly crash?: unknown;
}

/** Generates types, Zod schemas and validators, as `generate --schema <file> --ref <folder>` does. */
export async function generateFrom(foreign: Foreign): Promise<Generated | Failed> {
  try {
    const source = await readSource(foreign.path, DEFAULT_LIMITS);
    const refs = documentsOf(foreign);
    const { protocol, diagnostics } = protocolFromSource(source, { refs, errata: false });
    const units = await emitUnits(protocol, ['types', 'zod', 'validators']);
    const open = (each: Source): JsonValue => asTaken(jsonOf(each), each.label, diagnostics);
    return {
      foreign,
      json: open(source),
      protocol,
      documents: new Map(refs.map((ref) => [ref.uri, open(ref.source)])),
      diagnostics,
      files: new Map(units.map(({ path, text }) => [path, text])),
    };
  } catch (error) {
    if (error instanceof DiagnosticError) return { foreign, refusal: error.diagnostics };
    return { foreign, crash: error };
  }
}

/**
 * The document as the generator takes it. Where a reference leads nowhere, every value is valid: most packages have such
 * references, and ajv refuses to compile what they are in. Keywords that the draft does not have mean nothing: ajv gives
 * them the meaning of newer drafts.
 */
function asTaken(json: JsonValue, label: string, diagnostics: readonly Diagnostic[]): JsonValue {
  const found = diagnostics.filter(({ source }) => source === label);
  if (found.length === 0) return json;
  const copy = structuredClone(json) as Parent;
  for (const { code, pointer = '' } of found) {
    const keys = pointer.split('/').slice(1).map(unescaped);
    const keyword = keys.pop() ?? '';
    const schema = keys.reduce<Parent>((at, key) => (at[key] ?? {}) as Parent, copy);
    if (DANGLING.has(code)) for (const key of Object.keys(schema)) delete schema[key];
    if (code === 'unsupported-keyword' && ELSEWHERE.has(keyword)) delete schema[keyword];
  }
  return copy;
}

type Parent = Record<string, JsonValue>;

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** Keywords of some drafts that ajv knows in all. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['const', 'contains', 'propertyNames', 'if', 'then', 'else', 'dependencies'],
  ...['minContains', 'maxContains', 'dependentRequired', 'dependentSchemas', 'prefixItems'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'additionalItems'],
]);

const DANGLING: ReadonlySet<string> = new Set(['dangling-ref', 'remote-ref']);

/** The documents that references may lead to; those of a package are read once. */
function documentsOf({ refs }: Foreign): NamedDocument[] {
  const read = READ.get(refs) ?? readRefs(refs, DEFAULT_LIMITS);
  READ.set(refs, read);
  return read;
}

const READ = new WeakMap<readonly Ref[], NamedDocument[]>();

/** One object for one text, because a document may have two URIs, and many schemas may refer to it. */
function jsonOf({ text }: Source): JsonValue {
  const json = PARSED.get(text) ?? (JSON.parse(text) as JsonValue);
  PARSED.set(text, json);
  return json;
}

const PARSED = new Map<string, JsonValue>();

const STRICT = { lib: ['es2022', 'dom'] };

/** The diagnostics of the compiler for some schemas, compiled as one program: by the position of the schema. */
export async function compiled(
  version: TypeScriptVersion,
  batch: readonly Generated[],
): Promise<Map<number, string[]>> {
  const files: Record<string, string> = { ...supportFiles() };
  for (const [index, { files: own }] of batch.entries()) {
    for (const [path, text] of own) files[`s${String(index)}/${path}`] = text;
  }
  const found = new Map<number, string[]>();
  for (const text of await compileWith(version, files, STRICT)) {
    const index = Number(/^s(\d+)\//.exec(text)?.[1] ?? -1);
    found.set(index, [...(found.get(index) ?? []), text]);
  }
  return found;
}

type Module = Readonly<Record<string, unknown>>;

export interface Loaded {
  readonly zod: Module;
  readonly validators: Module;
}

/** Loads generated files, one schema after another. Remove its folder at the end. */
export function createLoader(): { load(generated: Generated): Promise<Loaded>; remove(): void } {
  const folder = temporaryFolder();
  let count = 0;
  const write = (path: string, source: string): void => {
    const file = join(folder.path, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, transformSync(source, { loader: 'ts' }).code);
  };
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  for (const [path, text] of Object.entries(supportFiles())) write(path, text);
  const load = async (path: string): Promise<Module> =>
    (await import(pathToFileURL(join(folder.path, path)).href)) as Module;
  return {
    async load({ files }) {
      const own = `s${String((count += 1))}`;
      for (const [path, text] of files) write(`${own}/${path}`, text);
      return { zod: await load(`${own}/zod.js`), validators: await load(`${own}/validators.js`) };
    },
    remove: () => folder.remove(),
  };
}
