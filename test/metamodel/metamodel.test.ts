import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emitUnits, metamodelOf } from '../../generator/emit/index.js';
import type { Metamodel } from '../../generator/emit/index.js';
import { METAMODEL_SCHEMA } from '../../generator/emit/metamodel/metamodel.js';
import { emitProtocol } from '../../generator/emit/protocol/emit-protocol.js';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { emitZod } from '../../generator/emit/zod/emit-zod.js';
import { buildProtocol } from '../../generator/ir/index.js';
import { readDocument } from '../../generator/read/load/document.js';
import { DEFAULT_LIMITS, packageRoot, REVISIONS } from '../../generator/read/load/index.js';
import { generate } from '../../generator/plan/generate.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolFromSource, readProtocol } from '../../generator/protocol/protocol.js';
import { applyPlan, memoryFolder } from '../../generator/write/index.js';
import { drawnSchema } from '../read/drawn.js';
import { generatedFiles } from '../support/generated.js';
import { protocolOf } from '../support/protocol.js';
import { sampled, sized } from '../support/size.js';

const SCHEMA = join(packageRoot(), 'schema', 'metamodel.schema.json');
const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as { $id: string };
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  schema,
);

function expectValid(document: unknown): void {
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
}

/** The documents that `generate --emit metamodel` writes, parsed. */
const files = new Map<string, string>();
const folder = memoryFolder(files);
const { plan } = await generate({
  inputs: REVISIONS.map((revision) => ({ revision })),
  emits: ['metamodel'],
  errata: true,
  folder,
  force: false,
  prune: false,
});
applyPlan(plan, folder);
const read = (revision: string): Metamodel =>
  JSON.parse(files.get(`${revision}/metamodel.json`) ?? '') as Metamodel;

/** A generated file without its header, whose length is the same everywhere. */
const body = (text: string): string => text.split('\n').slice(5).join('\n');

it('is one JSON file for each revision, and nothing else', () => {
  const names = REVISIONS.map((revision) => `${revision}/metamodel.json`);
  expect([...files.keys()].sort()).toEqual([...names, 'manifest.json'].sort());
});

it('has the schema that each document names', () => {
  expect(schema.$id).toBe(METAMODEL_SCHEMA);
});

it('has a schema that this generator reads', async () => {
  const { diagnostics, protocol } = await readProtocol(SCHEMA);
  expect(diagnostics).toEqual([]);
  expect(protocol.definitions.map(({ name }) => name)).toContain('Metamodel');
});

describe.each(REVISIONS)('the metamodel of %s', (revision) => {
  const model = read(revision);

  it('matches its schema', () => {
    expectValid(model);
  });

  it('is all that protocol.ts is emitted from, byte for byte', () => {
    const committed = generatedFiles(revision)['protocol.ts'] ?? '';
    expect(emitProtocol(model)).toBe(body(committed));
  });

  it.runIf(sampled(REVISIONS, 2).includes(revision))(
    'is all that the other files are emitted from',
    async () => {
      const units = await emitUnits(model, ['types', 'zod', 'validators', 'protocol']);
      const committed = generatedFiles(revision);
      for (const { path, text } of units) expect(text, path).toBe(body(committed[path] ?? ''));
    },
  );

  it('contains every definition and every method of the model', async () => {
    const { protocol } = await readProtocol(revision);
    expect(model).toMatchObject(JSON.parse(JSON.stringify(protocol)) as object);
  });

  it('says where each definition and each field is in the schema', () => {
    const source = JSON.parse(
      readFileSync(join(packageRoot(), 'schema', revision, 'schema.json'), 'utf8'),
    ) as object;
    let fields = 0;
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { name, pointer, required } = value as Record<string, unknown>;
      if (typeof pointer === 'string' && typeof required === 'boolean') {
        fields += 1;
        expect(pointer.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~')).toBe(name);
        expect(at(source, pointer)).toBeTypeOf('object');
      }
      Object.values(value).forEach(visit);
    };
    for (const definition of model.definitions) {
      expect(at(source, definition.pointer ?? '')).toBeTypeOf('object');
      visit(definition.node);
    }
    expect(fields).toBe(countProperties(source));
  });

  it('is small', () => {
    expect(files.get(`${revision}/metamodel.json`)?.length).toBeLessThan(250_000);
  });
});

function at(document: object, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      document,
    );
}

/** The entries of all `properties` that are keywords. */
function countProperties(schema: unknown, isMap = false): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  return Object.entries(schema).reduce((sum, [key, value]: [string, unknown]) => {
    const keyword = !isMap && key === 'properties';
    const own = keyword ? Object.keys(value as object).length : 0;
    const isData = !isMap && ['default', 'const', 'enum', 'examples'].includes(key);
    const map = !isMap && ['properties', '$defs', 'definitions'].includes(key);
    return sum + own + (isData ? 0 : countProperties(value, map));
  }, 0);
}

describe('the version of JSON-RPC in a metamodel', () => {
  const request = (jsonrpc: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { method: { const: 'ping' }, jsonrpc },
  });

  it.each<[string | undefined, Readonly<Record<string, JsonSchema>>]>([
    ['3.0', { JSONRPCRequest: request({ const: '3.0' }) }],
    ['2.0', { JSONRPCRequest: request({ type: 'string' }) }],
    ['2.0', { JSONRPCRequest: request({ const: 3 }) }],
    ['2.0', { JSONRPCRequest: { type: 'object' } }],
    ['2.0', { JSONRPCRequest: { type: 'string' } }],
    [undefined, { Request: request({ const: '3.0' }) }],
  ])('is %s, for %j', (version, definitions) => {
    expect(metamodelOf(protocolOf(definitions)).jsonrpc).toBe(version);
  });
});

describe('the tasks of a metamodel', () => {
  it.each([
    ['2025-06-18', undefined],
    [
      '2025-11-25',
      { dialect: 'core', methods: ['elicitation/create', 'sampling/createMessage', 'tools/call'] },
    ],
    ['2026-07-28', undefined],
    ['ext-tasks', { dialect: 'ext', methods: ['tools/call'] }],
  ])('of %s', (revision, tasks) => {
    const found = read(revision).tasks;
    expect(found && { dialect: found.dialect, methods: found.methods }).toEqual(tasks);
    if (tasks) expect(found?.statuses).toEqual(expect.arrayContaining(['working', 'completed']));
  });
});

it('lists the corrections that its definitions contain, and none without them', async () => {
  expect(read('2025-11-25').errata).toMatchObject([
    {
      id: 'elicit-result-fraction',
      pointer: '/$defs/ElicitResult/properties/content/additionalProperties/anyOf/1/type',
    },
  ]);
  expect(read('2024-11-05').errata).toBeUndefined();
  const plain = await readProtocol('2025-11-25', { errata: false });
  expect(plain.protocol.errata).toBeUndefined();
});

describe('the metamodel of any schema', () => {
  it.each(['2020-12', 'draft-07'] as const)(
    'matches its schema and survives JSON (%s)',
    async (draft) => {
      await fc.assert(
        fc.asyncProperty(drawnSchema(draft), async (drawn) => {
          const { document } = readDocument('drawn', drawn, {
            limits: DEFAULT_LIMITS,
          });
          const protocol = buildProtocol(document);
          const [unit, ...others] = await emitUnits(protocol, ['metamodel']);
          expect(others).toEqual([]);
          const model = JSON.parse(unit?.text ?? '') as Metamodel;
          expectValid(model);
          expect(emitValidators(model)).toEqual(emitValidators(protocol));
          expect(emitZod(model)).toEqual(emitZod(protocol));
        }),
        { numRuns: sized(60) },
      );
    },
  );

  it('says which definitions come from another document', () => {
    const common = { uri: 'urn:common', source: { label: 'c.json', text: '{"$defs":{"A":{}}}' } };
    const text = JSON.stringify({ $defs: { B: { $ref: 'urn:common#/$defs/A' } } });
    const { protocol } = protocolFromSource({ label: 'b.json', text }, { refs: [common] });
    const model = metamodelOf(protocol);
    expectValid(JSON.parse(JSON.stringify(model)));
    expect(model.definitions).toMatchObject([
      { name: 'A', pointer: '/$defs/A', document: 'urn:common' },
      { name: 'B', pointer: '/$defs/B', node: { kind: 'ref', name: 'A' } },
    ]);
  });

  it('keeps texts that mean something in JavaScript, HTML or JSON', async () => {
    const hostile = [
      '</script>',
      '\u2028',
      '\ud800',
      '__proto__',
      '"',
      '\\',
      "*/ import 'x'",
      '\0',
    ];
    const protocol = protocolOf({
      A: { description: hostile.join('\n'), enum: hostile, default: { ['__proto__']: hostile } },
      B: { properties: Object.fromEntries(hostile.map((key) => [key, { const: { key } }])) },
    });
    const [unit] = await emitUnits(protocol, ['metamodel']);
    const model = JSON.parse(unit?.text ?? '') as Metamodel;
    expectValid(model);
    expect(JSON.stringify(model.definitions)).toBe(JSON.stringify(protocol.definitions));
    expect(emitValidators(model)).toBe(emitValidators(protocol));
  });
});
