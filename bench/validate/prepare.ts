import { OURS } from '../measured.js';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { bundleStandalone } from 'ata-validator/build';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as generated from '../../generated/2025-11-25/protocol.js';
import type { Contender, ContenderModule, Inputs, Rules, SchemaDocument } from './contender.js';
import { parsed, TRAFFIC } from './traffic.js';
import type { TrafficRevision } from './traffic.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Contenders in the order of the report. */
export const CONTENDERS = {
  ours: OURS,
  'sdk-v1': 'SDK v1',
  'sdk-v2': 'SDK v2',
  'zod-json-schema': 'Zod fromJSONSchema',
  ajv: 'ajv',
  'ajv-standalone': 'ajv standalone',
  ata: 'ata-validator',
  typebox: 'TypeBox',
  schemasafe: 'schemasafe',
} as const;
export type ContenderName = keyof typeof CONTENDERS;
export const NAMES = Object.keys(CONTENDERS) as ContenderName[];

/** Contenders as compiled modules in a folder that can resolve packages. */
export interface Prepared {
  readonly folder: string;
  readonly inputs: Inputs;
  /** The file of a contender's module. */
  readonly moduleOf: (name: ContenderName) => string;
  readonly running: ReadonlyMap<ContenderName, Contender>;
  /** The reasons for contenders that do not run. */
  readonly absent: ReadonlyMap<ContenderName, string>;
}

export async function prepared<T>(
  revision: TrafficRevision,
  work: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(root, 'node_modules', '.bench-validate-'));
  try {
    const inputs = await inputsFor(revision, folder);
    const moduleOf = (name: ContenderName): string => join(folder, `${name}.mjs`);
    await bundle({
      entryPoints: NAMES.map((name) => join(root, 'bench/validate/contenders', `${name}.ts`)),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      packages: 'external',
    });
    const running = new Map<ContenderName, Contender>();
    const absent = new Map<ContenderName, string>();
    for (const name of NAMES) {
      const opened = await open(pathToFileURL(moduleOf(name)).href, inputs, revision);
      if (typeof opened === 'string') absent.set(name, opened);
      else running.set(name, opened);
    }
    return await work({ folder, inputs, moduleOf, running, absent });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The contender, or why it is excluded. A contender has to accept all of the traffic. */
async function open(
  url: string,
  inputs: Inputs,
  revision: TrafficRevision,
): Promise<Contender | string> {
  try {
    const contender = await ((await import(url)) as ContenderModule).open(inputs);
    const refused = TRAFFIC[revision].map(parsed).filter((sample) => !contender.receive(sample));
    if (refused.length === 0) return contender;
    return `refuses ${refused.map(({ kind }) => kind).join(', ')}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function inputsFor(revision: TrafficRevision, folder: string): Promise<Inputs> {
  const compiled = (name: string): string =>
    pathToFileURL(join(root, 'runtime/dist/generated', revision, `${name}.js`)).href;
  const schema = JSON.parse(
    readFileSync(join(root, 'schema', revision, 'schema.json'), 'utf8'),
  ) as SchemaDocument;
  const names = Object.keys(schema.$defs);
  return {
    revision,
    validators: compiled('validators'),
    ajvStandalone: pathToFileURL(await writeAjv(folder, schema, names)).href,
    ata: pathToFileURL(writeAta(folder, schema, names)).href,
    rules: await rulesOf(compiled('protocol')),
    schema,
  };
}

async function rulesOf(url: string): Promise<Rules> {
  const { REQUESTS, NOTIFICATIONS } = (await import(url)) as typeof generated;
  const requests = Object.entries(REQUESTS);
  const definition = <T extends { definition: string }>([method, info]: readonly [string, T]) =>
    [method, info.definition] as const;
  return {
    requests: Object.fromEntries(
      requests.filter(([, { carrier }]) => carrier === 'message').map(definition),
    ),
    notifications: Object.fromEntries(Object.entries(NOTIFICATIONS).map(definition)),
    results: Object.fromEntries(requests.map(([method, { results }]) => [method, results])),
    senders: Object.fromEntries(
      [...requests, ...Object.entries(NOTIFICATIONS)].map(([method, { senders }]) => [
        method,
        senders,
      ]),
    ),
    response: 'JSONRPCResultResponse',
  };
}

/** One self-contained module with a function a definition. */
export async function writeAjv(
  folder: string,
  schema: SchemaDocument,
  names: readonly string[],
): Promise<string> {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    code: { source: true, esm: true },
  });
  ajv.addSchema(schema, 'mcp');
  const exported = Object.fromEntries(names.map((name) => [name, `mcp#/$defs/${name}`]));
  const generated = join(folder, 'ajv-generated.mjs');
  writeFileSync(generated, standalone.default(ajv, exported));
  const outfile = join(folder, 'ajv-definitions.mjs');
  await bundle({ entryPoints: [generated], outfile });
  return outfile;
}

/** It does not compile unknown formats. So formats are removed, which no contender checks here. */
export function writeAta(folder: string, schema: SchemaDocument, names: readonly string[]): string {
  const definition = (name: string): object => withoutTexts(schema.$defs[name]) as object;
  const schemas = names.map((name) => ({
    ...definition(name),
    $defs: Object.fromEntries([...reachable(name, schema)].map((each) => [each, definition(each)])),
  }));
  const file = join(folder, `ata-definitions-${String(names.length)}.mjs`);
  writeFileSync(file, bundleStandalone(schemas, { format: 'esm' }));
  return file;
}

/** A schema without formats and descriptions. */
function withoutTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutTexts);
  const entries = Object.entries(value).filter(
    ([key, inner]) => !((key === 'format' || key === 'description') && typeof inner === 'string'),
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTexts(inner)]));
}

/** All definitions that one reaches; itself only if it is recursive. */
function reachable(start: string, schema: SchemaDocument): Set<string> {
  const seen = new Set<string>();
  const queue = [start];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const [, found = ''] of JSON.stringify(schema.$defs[name]).matchAll(
      /"\$ref":"#\/\$defs\/(\w+)"/g,
    )) {
      if (seen.has(found)) continue;
      seen.add(found);
      queue.push(found);
    }
  }
  return seen;
}

export async function bundle(options: BuildOptions): Promise<void> {
  await build({ bundle: true, format: 'esm', platform: 'node', logLevel: 'error', ...options });
}
