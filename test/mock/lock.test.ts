import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseLock, printLock } from '../../generator/contracts/lock/index.js';
import { instanceOf, NoInstance } from '../../generator/mock/instance.js';
import { mock } from '../../generator/mock/mock.js';
import { Promised } from '../../generator/mock/promised.js';
import { Random } from '../../generator/mock/random.js';
import type { MockServer } from '../../generator/mock/types.js';
import { clientV2, streamV1 } from '../server/clients.js';
import { sized } from '../support/size.js';
import { temporaryFolder } from './support.js';

const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      degrees: { type: 'number', minimum: -50, maximum: 50 },
      sky: { enum: ['clear', 'cloudy'] },
      days: { type: 'array', items: { $ref: '#/$defs/day' }, minItems: 1 },
      station: { type: 'string', pattern: '^[A-Z]{3}-\\d{2}$' },
    },
    required: ['degrees', 'sky', 'days', 'station'],
    $defs: { day: { type: 'string', format: 'date' } },
  },
  'x-unknown': 'kept',
};

const LOCK = {
  lockVersion: 1,
  revision: '2025-11-25',
  server: { name: 'promised', version: '3.0.0' },
  capabilities: { tools: {}, prompts: {}, resources: {} },
  tools: [
    WEATHER,
    { name: 'plain', inputSchema: { type: 'object' } },
    {
      name: 'long',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      execution: { taskSupport: 'required' },
    },
    {
      name: 'nothing',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', required: ['a'], not: { required: ['a'] } },
    },
    {
      name: 'slow',
      inputSchema: { type: 'object', properties: { text: { pattern: '^(a+)+$' } } },
    },
  ],
  prompts: [{ name: 'review', arguments: [{ name: 'code', required: true }] }],
  resources: [{ name: 'notes', uri: 'note://today' }],
  resourceTemplates: [],
};

async function started(lock: object = LOCK, seed = 1): Promise<MockServer> {
  const file = join(temporaryFolder(), 'mcp.lock.json');
  const text = JSON.stringify(lock);
  writeFileSync(file, printLock(parseLock(text, file)));
  const server = await mock(undefined, { lock: file, seed });
  onTestFinished(() => server.close());
  return server;
}

const weatherOf = { name: 'weather', arguments: { city: 'Bern' } };

describe.each(['legacy', 'auto'] as const)('a mock of a lock for SDK v2, %s', (mode) => {
  it('lists what the lock lists, with unknown fields', async () => {
    const client = await clientV2((await started()).transport(), mode, {});
    expect(client.getServerVersion()).toMatchObject(LOCK.server);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['long', 'nothing', 'plain', 'slow', 'weather']);
    expect(tools.find(({ name }) => name === 'weather')).toMatchObject({
      inputSchema: WEATHER.inputSchema,
      outputSchema: WEATHER.outputSchema,
    });
    expect((await client.listPrompts()).prompts).toMatchObject(LOCK.prompts);
    expect((await client.readResource({ uri: 'note://today' })).contents).toHaveLength(1);
  });

  it('generates results that the schema accepts, the same for the same seed', async () => {
    const call = async (seed: number): Promise<unknown> => {
      const client = await clientV2((await started(LOCK, seed)).transport(), mode, {});
      await client.listTools();
      return (await client.callTool(weatherOf)).structuredContent;
    };
    const first = await call(1);
    expect(await call(1)).toEqual(first);
    expect(await call(2)).not.toEqual(first);
  });

  it('refuses arguments that the schema refuses, and unknown tools', async () => {
    const client = await clientV2((await started()).transport(), mode, {});
    const refused = await client.callTool({ name: 'weather', arguments: { town: 'Bern' } });
    expect(refused.isError).toBe(true);
    await expect(client.callTool({ name: 'wether', arguments: {} })).rejects.toThrow(
      'Unknown tool: "wether". Did you mean "weather"?',
    );
    await expect(client.getPrompt({ name: 'review', arguments: {} })).rejects.toThrow('code');
  });

  it('names the tool where nothing says what it returns', async () => {
    const client = await clientV2((await started()).transport(), mode, {});
    expect(JSON.stringify(await client.callTool({ name: 'plain', arguments: {} }))).toContain(
      'plain',
    );
  });

  it('says that no value satisfies a schema', async () => {
    const client = await clientV2((await started()).transport(), mode, {});
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(
      'No result could be generated from the outputSchema of the tool "nothing"',
    );
  });

  it('answers at once whatever a pattern of the lock costs', async () => {
    const client = await clientV2((await started()).transport(), mode, {});
    const text = `${'a'.repeat(50_000)}!`;
    expect(await client.callTool({ name: 'slow', arguments: { text } })).toHaveProperty('content');
  });
});

it('runs a tool as a task that the lock says runs as one', async () => {
  const server = await started();
  const [messages = []] = await streamV1(server.transport(), {}, [{ name: 'long', arguments: {} }]);
  expect(messages[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working' } });
  expect(messages.at(-1)).toMatchObject({ type: 'result' });
});

describe('a lock', () => {
  const part = (name: string): object => ({ properties: { [name]: {} }, required: [name] });

  it.each<object>([
    {
      allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      $defs: { A: part('a'), B: part('b') },
    },
    { properties: { a: { type: 'number', minimum: 0.7, maximum: 0.9 } }, required: ['a'] },
    { properties: { a: { format: 'iri' } }, required: ['a'] },
    { properties: { a: { $ref: '#/$defs/100%25' } }, $defs: { '100%': { type: 'string' } } },
    { minProperties: 2, additionalProperties: false, patternProperties: { '^x-': {} } },
  ])('has a result for the schema %j', (schema) => {
    const outputSchema = { type: 'object', ...schema };
    const text = JSON.stringify({ ...LOCK, tools: [{ ...LOCK.tools[1], outputSchema }] });
    const params = { name: 'plain', arguments: {} };
    const { structuredContent } = new Promised(parseLock(text, ''), 1).answer({
      method: 'tools/call',
      params,
    });
    const ajv = addFormats.default(new Ajv.default({ strict: false, formats: { iri: true } }));
    expect(ajv.validate(outputSchema, structuredContent)).toBe(true);
  });
});

describe('generated values', () => {
  const scalar = fc.oneof(
    fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -100, max: 100 }) }),
    fc.record({ type: fc.constant('string'), minLength: fc.nat(20) }),
    fc.record({
      type: fc.constant('string'),
      format: fc.constantFrom('uuid', 'date-time', 'email', 'uri', 'ipv4'),
    }),
    fc.constantFrom(
      { type: 'boolean' },
      { type: 'null' },
      { const: 7 },
      { type: ['string', 'null'] },
    ),
    fc.record({ enum: fc.array(fc.string(), { minLength: 1, maxLength: 4 }) }),
  );
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(
          fc.constantFrom('a', 'b', '__proto__', 'toString'),
          tie('schema'),
          { maxKeys: 3 },
        ),
        required: fc.subarray(['a', '__proto__', 'c']),
      }),
      fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 1 }) }),
    ),
  }));

  it('are accepted by the schema', () => {
    fc.assert(
      fc.property(schema, fc.integer(), (each, seed) => {
        const ajv = addFormats.default(new Ajv.default({ strict: false, ownProperties: true }));
        const value = instanceOf(each as never, new Random(seed));
        expect(ajv.validate(each, value), JSON.stringify([each, value, ajv.errors])).toBe(true);
      }),
      { numRuns: sized(500) },
    );
  });

  it.each([
    { $ref: '#' },
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } },
    { type: 'array', minItems: 1e9 },
    { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] },
    { $ref: '#/missing' },
    { $ref: '#/100%' },
    { properties: { a: false }, required: ['a'] },
    { type: 'number', minimum: Number.MAX_VALUE, multipleOf: 0.5 },
  ])('are not made of %j', (each) => {
    expect(() => instanceOf(each as never, new Random(1))).toThrow(NoInstance);
  });
});
