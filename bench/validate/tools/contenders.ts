import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { bundleStandalone } from 'ata-validator/build';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { supportFor, supportUnits } from '../../../generator/emit/index.js';
import { emitValidators } from '../../../generator/emit/validators/index.js';
import { buildProtocol } from '../../../generator/ir/index.js';
import { readDocument } from '../../../generator/read/load/document.js';
import { DEFAULT_LIMITS, readSupport } from '../../../generator/read/load/index.js';
import { bundle } from '../prepare.js';
import { TOOLS } from './index.js';

/** One tool's check by one contender. */
export interface ToolCheck {
  readonly accepts: (value: unknown) => boolean;
  /** The number of errors that it reports, for a value that it refuses. */
  readonly faults: (value: unknown) => number;
}

/** `undefined` for tools that the contender does not compile. */
export type ToolChecks = readonly (ToolCheck | undefined)[];

/** The module of each contender, in the order of the report; `checks` is what it exports. */
const SOURCES = {
  ours: `import * as all from './tools/validators.js';
    export const checks = Object.keys(all).filter((name) => /^validate[A-Z]/.test(name)).map((name) => {
      const accepts = all[name.replace('validate', 'is')];
      return [name, { accepts, faults: (value) => { const v = all[name](value); return v.ok ? 0 : v.errors.length; } }];
    });`,
  'ajv-standalone': `import * as all from './ajv.js';
    export const checks = Object.keys(all).map((name) =>
      [name, { accepts: all[name], faults: (value) => (all[name](value) ? 0 : all[name].errors.length) }]);`,
  ata: `import { validators } from './ata.js';
    export const checks = validators.map((validate, index) =>
      [index, validate && { accepts: (value) => validate(value).valid, faults: (value) => validate(value).errors.length }]);`,
  cfworker: `import { Validator } from '@cfworker/json-schema';
    import { schemas } from './schemas.js';
    export const checks = schemas.map((schema, index) => {
      const first = new Validator(schema, '2020-12');
      const all = new Validator(schema, '2020-12', false);
      return [index, { accepts: (value) => first.validate(value).valid, faults: (value) => all.validate(value).errors.length }];
    });`,
  'zod-json-schema': `import { fromJSONSchema } from 'zod';
    import { schemas } from './schemas.js';
    export const checks = schemas.map((schema, index) => {
      try {
        const zod = fromJSONSchema(schema);
        return [index, { accepts: (value) => zod.safeParse(value).success, faults: (value) => zod.safeParse(value).error?.issues.length ?? 0 }];
      } catch { return [index, undefined]; }
    });`,
} as const;
type ToolContender = keyof typeof SOURCES;
const NAMES = Object.keys(SOURCES) as ToolContender[];
export type PeerName = Exclude<ToolContender, 'ours'>;
export const PEER_NAMES = NAMES.filter((name): name is PeerName => name !== 'ours');

/** What a bundle of all tools' validators exports. Ours checks formats when it is asked to, so ajv's does as well. */
export const ENTRIES: Readonly<Record<ToolContender, string>> = {
  ours: `export { ${TOOLS.map((_, index) => `validate${nameOf(index)}`).join(', ')} } from './tools/validators.js';`,
  'ajv-standalone': `export * from './ajv-formats.js';`,
  ata: `export * from './ata.js';`,
  cfworker: `export * from './cfworker.js';`,
  'zod-json-schema': `export * from './zod-json-schema.js';`,
};

/** Writes our validators of all tools to `tools/`, and what they import. */
export function writeOurs(folder: string): void {
  const definitions = TOOLS.map(({ inputSchema }, index) => [
    nameOf(index),
    { $id: `https://example.com/${nameOf(index)}`, ...inputSchema },
  ]);
  writeValidators(folder, { $defs: Object.fromEntries(definitions) as object });
}

/** Writes our validators of the definitions of a schema to `tools/`, and what they import. */
export function writeValidators(folder: string, schema: object): void {
  const read = readDocument('bench', schema as never, { limits: DEFAULT_LIMITS });
  const ours = emitValidators(buildProtocol(read.document));
  writeTo(folder, 'tools/validators.ts', ours);
  for (const { path, text } of supportUnits(supportFor([ours]), readSupport())) {
    writeTo(folder, path, text);
  }
}

function writeTo(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Writes every contender's code to a folder. */
export async function writeContenders(folder: string): Promise<void> {
  const write = (path: string, content: string): void => writeTo(folder, path, content);
  writeOurs(folder);
  write('ajv.js', ajvSource(false));
  write('ajv-formats.js', ajvSource(true));
  // It knows no formats, which no contender checks here. It compiles patterns anew at every call.
  const plain = TOOLS.map(({ inputSchema }) => withoutFormats(inputSchema) as object);
  write('ata.js', bundleStandalone(plain, { format: 'esm' }));
  const schemas = TOOLS.map(({ inputSchema }) => inputSchema);
  write('schemas.js', `export const schemas = ${JSON.stringify(schemas)};\n`);
  for (const name of NAMES) write(`${name}.ts`, SOURCES[name]);
  await bundle({
    entryPoints: NAMES.map((name) => join(folder, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  });
}

export async function openContender(folder: string, name: ToolContender): Promise<ToolChecks> {
  const { checks } = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as {
    checks: (readonly [key: string | number, ToolCheck | undefined])[];
  };
  if (name === 'cfworker' || name === 'zod-json-schema' || name === 'ata') {
    return checks.map(([, check]) => check);
  }
  const byName = new Map(checks);
  const prefix = name === 'ours' ? 'validate' : '';
  return TOOLS.map((_, index) => byName.get(`${prefix}${nameOf(index)}`));
}

/** `Tool7`, because definitions have names and lists of tools have positions. */
function nameOf(index: number): string {
  return `Tool${String(index)}`;
}

function ajvSource(validateFormats: boolean): string {
  const ajv = new Ajv2020({ strict: false, validateFormats, code: { source: true, esm: true } });
  if (validateFormats) formats.default(ajv);
  TOOLS.forEach(({ inputSchema }, index) => ajv.addSchema(inputSchema, nameOf(index)));
  return standalone.default(ajv, Object.fromEntries(TOOLS.map((_, i) => [nameOf(i), nameOf(i)])));
}

function withoutFormats(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutFormats);
  const entries = Object.entries(schema).filter(
    ([key, value]) => key !== 'format' || typeof value !== 'string',
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutFormats(value)]));
}
