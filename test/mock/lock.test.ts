import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mock } from '../../contracts/mock/mock.js';
import type { MockServer } from '../../contracts/mock/types.js';
import { clientV2, streamV1 } from '../server/clients.js';
import { fileOfLock, LOCK, WEATHER } from './locks.js';
import { call, connected, HELLO, playing, textOf, written } from './written.js';

async function started(lock: object = LOCK, seed = 1): Promise<MockServer> {
  const server = await mock(undefined, { lock: fileOfLock(lock), seed });
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
      'Unknown tool "wether"',
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
    { properties: { a: { $ref: '#/missing' } } },
  ])('has a result for the schema %j', async (schema) => {
    const outputSchema = { type: 'object', ...schema };
    const server = await started({ ...LOCK, tools: [{ ...LOCK.tools[1], outputSchema }] });
    const { structuredContent } = await (
      await clientV2(server.transport(), 'legacy', {})
    ).callTool({ name: 'plain', arguments: {} });
    if (JSON.stringify(schema).includes('missing')) return expect(structuredContent).toEqual({});
    const ajv = addFormats.default(new Ajv.default({ strict: false, formats: { iri: true } }));
    expect(ajv.validate(outputSchema, structuredContent)).toBe(true);
  });

  it('with an entry that no server can list is refused', async () => {
    const tools = [{ name: 'odd', inputSchema: { type: 'array' } }];
    await expect(started({ ...LOCK, tools })).rejects.toThrow('Tool "odd" cannot be listed');
  });

  it('answers what the recording does not, over HTTP and in a session that the recording began', async () => {
    const server = await playing(written([...HELLO, ...call(1, { a: 1 }, 'one')]), {
      lock: fileOfLock(LOCK),
    });
    const client = await connected(server);
    expect(await textOf(client, { a: 1 })).toBe('one');
    expect(await client.callTool(weatherOf)).toHaveProperty('structuredContent');
    await expect(client.callTool({ name: 'echo', arguments: { a: 2 } })).rejects.toThrow('echo');
    const by = server.requests.map(({ method, answeredBy }) => `${method} ${answeredBy}`);
    expect(by).toEqual([
      'initialize recording',
      'tools/call recording',
      'tools/call lock',
      'tools/call nothing',
    ]);
  });
});
