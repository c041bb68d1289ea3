import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_EMITS, emitUnits } from '../../generator/emit/index.js';
import type { SourceUnit } from '../../generator/emit/index.js';
import { packageRoot } from '../../generator/read/load/index.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { compileWith } from '../support/ts-compile.js';

/** Texts that try to inject code. */
const INJECTIONS = [
  '*/ globalThis.pwned = true; /*',
  '`${globalThis.pwned = true}`',
  "'; globalThis.pwned = true; '",
  '"; globalThis.pwned = true; "',
  '\\',
  '\\u002a/ globalThis.pwned = true;',
  '\u2028globalThis.pwned = true;//',
  '\r\nglobalThis.pwned = true;//',
  '</script><script>globalThis.pwned = true</script>',
  '{@link x} @type {number} @internal',
  '\u0000\u0007\u202e',
  'export interface Definition {',
  'constructor',
  'toString',
  'hasOwnProperty',
];

const hostile = protocolOf({
  ...Object.fromEntries(
    INJECTIONS.map((text, index) => [
      `D${String(index)}`,
      {
        description: text,
        type: 'object',
        properties: {
          [text]: { type: 'string', description: text, default: text },
          literal: { const: text },
          choice: { enum: [text, `${text}!`] },
          mixed: { anyOf: [{ const: 3 }, { const: text }, { type: 'array' }] },
          ref: { $ref: '#/$defs/__proto__', description: text },
          matches: { type: 'string', pattern: `^${text.replace(/[^a-z]/g, '.')}$` },
        },
        required: [text],
      },
    ]),
  ),
  ['__proto__']: { type: 'array', items: { $ref: '#/$defs/constructor' } },
  constructor: { type: 'object', additionalProperties: { $ref: '#/$defs/__proto__' } },
  Record: { type: 'object', properties: { Array: { type: 'null' } }, additionalProperties: false },
  Promise: { type: 'object', additionalProperties: false },
  z: { type: 'string' },
  types: { anyOf: [{ $ref: '#/$defs/z' }, { $ref: '#/$defs/Record' }] },
});

/** Recursive definitions with names that emitted code uses. */
const NAMESAKES = ['Known', 'Message', 'Batch', 'Byte', 'Uri', 'nest', 'Check', 'Shape', 'Wire'];
const envelope = { jsonrpc: { const: '2.0' }, id: { type: 'string' }, method: { type: 'string' } };
const jsonrpc = (...required: string[]) => ({
  type: 'object',
  properties: { ...envelope, result: { type: 'object' }, error: { type: 'object' } },
  required: ['jsonrpc', ...required],
});
const namesakes = protocolOf({
  ...Object.fromEntries(
    NAMESAKES.map((name) => [
      name,
      {
        type: 'object',
        properties: {
          self: { $ref: `#/$defs/${name}` },
          link: { type: 'string', format: 'uri' },
          data: { type: 'string', format: 'byte' },
        },
      },
    ]),
  ),
  JSONRPCRequest: jsonrpc('id', 'method'),
  JSONRPCNotification: jsonrpc('method'),
  JSONRPCResultResponse: jsonrpc('id', 'result'),
  JSONRPCErrorResponse: jsonrpc('error'),
  PingRequest: {
    type: 'object',
    properties: { ...envelope, method: { const: 'ping' } },
    required: ['jsonrpc', 'id', 'method'],
  },
  ClientRequest: { anyOf: [{ $ref: '#/$defs/PingRequest' }] },
  PingResult: { type: 'object' },
  ResultOf: { oneOf: [{ type: 'string' }, { type: 'number', minimum: 1 }] },
});

/** Definitions with the names of global values and types, of other exports, and in other scripts. */
const foreign = protocolOf(
  Object.fromEntries(
    [
      ...Object.getOwnPropertyNames(globalThis).filter((name) => /^\w+$/.test(name)),
      ...['Record', 'Partial', 'Readonly', 'ReadonlySet', 'ReadonlyArray', 'Exclude', 'Omit'],
      ...['Party', 'RequestMap', 'Capability', 'ErrorCode', 'Validation', 'ValidationOptions'],
      ...['Types', 'isTypes', 'validateTypes', 'TypesSchema', 'types_schema', 'is_types'],
      ...['días', 'дни', '数据', 'דוגמה', 'हिन्दी', '𠮷', 'v1.12', 'v11.2', '1st', '*/', ''],
    ].map((name) => [
      name,
      {
        type: 'object',
        properties: {
          self: { $ref: `#/$defs/${name.replaceAll('/', '~1')}` },
          list: { type: 'array', items: { anyOf: [{ type: 'string', format: 'uri' }, {}] } },
          имя: { type: 'object', properties: { имя: { type: 'array', minItems: 2 } } },
          exact: {
            oneOf: [
              { type: 'string', minLength: 1 },
              { type: 'string', maxLength: 2 },
            ],
          },
        },
      },
    ]),
  ),
);

/** Checks that are constant leave operands, parameters and variables unused. */
const idle = protocolOf({
  Anything: {},
  Nothing: { not: {} },
  Link: { type: 'string', format: 'uri' },
  Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
  LinkOrAnything: { anyOf: [{ type: 'string', format: 'uri' }, {}] },
  NodeOrAnything: { anyOf: [{ $ref: '#/$defs/Node' }, {}] },
  Empty: { type: 'array', items: { not: {} } },
  Impossible: {
    type: 'object',
    properties: { never: { not: {} }, link: { $ref: '#/$defs/Link' } },
    required: ['never'],
  },
  Closed: { type: 'object', properties: { any: {} }, additionalProperties: false },
  Both: { allOf: [{ $ref: '#/$defs/Anything' }, { $ref: '#/$defs/Link' }] },
});

function filesOf(units: readonly SourceUnit[]): Record<string, string> {
  const own = units.map(({ path, text }) => [`x/${path}`, text]);
  return { ...supportFiles(), ...(Object.fromEntries(own) as Record<string, string>) };
}

/** Compiler rules that users may set. */
const TIDY = { noUnusedLocals: true, noUnusedParameters: true, noImplicitReturns: true };

const folder = mkdtempSync(join(packageRoot(), 'node_modules', '.hostile-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['of the names that emitted code has', namesakes],
  ['that leaves much idle', idle],
  ['of global names, of other exports, and in other scripts', foreign],
])('a schema %s', (_, protocol) => {
  it('compiles', async () => {
    const units = await emitUnits(protocol, [...DEFAULT_EMITS, 'standard']);
    const files = filesOf(units);
    expect(await compileWith('6.0', files, TIDY)).toEqual([]);
  });
});

describe('a schema with injected code', async () => {
  const units = await emitUnits(hostile, [...DEFAULT_EMITS, 'standard']);
  const files = filesOf(units);

  it.each(['5.9', '7.0'] as const)('compiles under TypeScript %s', async (version) => {
    expect(await compileWith(version, files, TIDY)).toEqual([]);
  });

  it('does not run the injected code', async () => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    await build({
      entryPoints: ['zod', 'validators'].map((name) => join(folder, 'x', `${name}.ts`)),
      outdir: join(folder, 'out'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      external: ['zod'],
      format: 'esm',
    });
    for (const name of ['zod', 'validators']) {
      const url = pathToFileURL(join(folder, 'out', `${name}.mjs`)).href;
      const module = (await import(url)) as Record<string, unknown>;
      expect(Object.keys(module).length).toBeGreaterThan(hostile.definitions.length - 1);
      checkAll(name, module);
    }
    expect('pwned' in globalThis).toBe(false);
    expect('pwned' in {}).toBe(false);
  });
});

/** Each definition accepts its values and refuses others, whatever its name is. */
function checkAll(name: string, module: Record<string, unknown>): void {
  INJECTIONS.forEach((text, index) => {
    const good: unknown = JSON.parse(JSON.stringify({ [text]: 'x', literal: text }));
    for (const [value, expected] of [
      [good, true],
      [{}, false],
      [{ literal: text }, false],
      [{ [text]: 1 }, false],
      [{ [text]: 'x', choice: 'neither' }, false],
    ] as const) {
      expect(verdict(name, module, `D${String(index)}`, value), `${name} ${text}`).toBe(expected);
    }
  });
}

function verdict(
  name: string,
  module: Record<string, unknown>,
  definition: string,
  value: unknown,
): boolean {
  if (name === 'validators') return (module[`is${definition}`] as (v: unknown) => boolean)(value);
  const schema = module[`${definition}Schema`] as {
    safeParse: (v: unknown) => { success: boolean };
  };
  return schema.safeParse(value).success;
}
