import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskClient, type OpenChannel } from '../../runtime/client/index.js';
import {
  DIALECT_VERSIONS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Message } from '../server/support.js';
import { coreTask } from './harness.js';
import { mutants } from './mutants.js';

const CORE = DIALECT_VERSIONS.core;
const ANNOTATIONS = { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const NAMED = {
  name: 'one',
  title: 'One',
  description: 'The first.',
  icons: [{ src: 'https://a.example/1.png', mimeType: 'image/png', sizes: ['any'] }],
  _meta: { 'a.example/key': 1 },
};
const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

interface List {
  readonly method: string;
  readonly member: string;
  readonly definition: string;
  readonly sample: JsonObject;
}

/** Entries with all members of all revisions. */
const LISTS: readonly List[] = [
  {
    method: 'tools/list',
    member: 'tools',
    definition: 'Tool',
    sample: {
      ...NAMED,
      inputSchema: SCHEMA,
      outputSchema: SCHEMA,
      annotations: { title: 'One', readOnlyHint: true },
      execution: { taskSupport: 'optional' },
    },
  },
  {
    method: 'prompts/list',
    member: 'prompts',
    definition: 'Prompt',
    sample: { ...NAMED, arguments: [{ name: 'a', description: 'A.', required: true }] },
  },
  {
    method: 'resources/list',
    member: 'resources',
    definition: 'Resource',
    sample: { ...NAMED, uri: 'file:///a', mimeType: 'a/b', size: 1, annotations: ANNOTATIONS },
  },
  {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    definition: 'ResourceTemplate',
    sample: { ...NAMED, uriTemplate: 'file:///{a}', mimeType: 'a/b', annotations: ANNOTATIONS },
  },
  {
    method: 'tasks/list',
    member: 'tasks',
    definition: 'Task',
    sample: coreTask('working', { statusMessage: 'Compiling' }),
  },
];

/** Upstream's definition, by another validator. */
function oracle(version: RevisionVersion, definition: string) {
  const path = join(import.meta.dirname, '..', '..', 'schema', version, 'schema.json');
  const schema = JSON.parse(readFileSync(path, 'utf8')) as Record<string, JsonObject | undefined>;
  const place = schema['$defs'] === undefined ? 'definitions' : '$defs';
  if (schema[place]?.[definition] === undefined) return undefined;
  const options = { strict: false, validateFormats: false };
  const ajv = place === '$defs' ? new Ajv2020(options) : new Ajv(options);
  const validate = ajv.compile({ ...schema, $ref: `#/${place}/${definition}` });
  return (value: unknown): boolean => validate(value);
}

/** A server that has one list. */
function serving(version: RevisionVersion, method: string, page: JsonObject) {
  const isCore = REVISIONS[version].dialect === 'core';
  const hints = isCore ? {} : { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const capabilities = { tools: {}, prompts: {}, resources: {}, tasks: { list: {} } };
  const results: JsonObject = {
    initialize: { protocolVersion: version, capabilities, serverInfo: { name: 'a', version: '1' } },
    'server/discover': { ...hints, supportedVersions: [version], capabilities },
    [method]: { ...hints, ...page },
  };
  const open: OpenChannel = (receive) => ({
    gone: new AbortController().signal,
    close: () => undefined,
    send(message) {
      const { id, method: asked = '' } = message as Message;
      if (id !== undefined) receive({ jsonrpc: '2.0', id, result: results[asked] });
    },
  });
  return open;
}

async function connected(version: RevisionVersion, method: string, page: JsonObject) {
  const problems: string[] = [];
  const client = createTaskClient({
    name: 'test',
    version: '1',
    revisions: [version],
    onError: ({ message }) => problems.push(message),
  });
  await client.connect(serving(version, method, page));
  onTestFinished(() => client.close());
  return { client, problems };
}

async function read(version: RevisionVersion, { method, member }: List, entries: unknown[]) {
  const { client, problems } = await connected(version, method, { [member]: entries });
  const result = (await client.request(method as 'tools/list')) as unknown as JsonObject;
  return { client, problems, valid: result[member] };
}

const CASES = PROTOCOL_VERSIONS.flatMap((version) =>
  LISTS.flatMap((list) => {
    const validate = oracle(version, list.definition);
    return validate === undefined ? [] : [[version, list.method, list, validate] as const];
  }),
);

/** Fewer than the client reports of one list. */
const AT_ONCE = 80;

describe('an invalid entry of a list is left out, and the others are used', () => {
  it.each(CASES)('%s: %s', async (version, _, list, validate) => {
    const all = [list.sample, ...mutants(list.sample)];
    expect(validate(list.sample)).toBe(true);
    for (let start = 0; start < all.length; start += AT_ONCE) {
      const entries = all.slice(start, start + AT_ONCE);
      const bad = entries.filter((each) => !validate(each));
      const { client, problems, valid } = await read(version, list, entries);
      expect(valid).toEqual(entries.filter((each) => !bad.includes(each)));
      expect(client.leftOut.map(({ entry }) => entry)).toEqual(bad);
      expect(problems).toHaveLength(bad.length);
      for (const [index, problem] of problems.entries()) {
        const place = entries.indexOf(bad[index]);
        expect(problem).toContain(`: /${list.member}/${place}`);
      }
    }
  });

  it('names the entry, and says why', async () => {
    const [tools] = LISTS as [List];
    const bad = { name: 'b\u001bad', inputSchema: null };
    const { client, problems } = await read(CORE, tools, [tools.sample, bad, 7]);
    expect(problems).toEqual([
      'Left out the tool b\\u{1b}ad: /tools/1/inputSchema must be an object, but is null.',
      'Left out a tool: /tools/2 must be an object, but is the number 7.',
    ]);
    expect(client.leftOut).toMatchObject([{ name: bad.name, entry: bad }, { entry: 7 }]);
    expect(await client.tools()).toEqual([tools.sample]);
    expect(client.leftOut).toHaveLength(2);
  });

  it('reports 100 of many', async () => {
    const [tools] = LISTS as [List];
    const { client, problems } = await read(CORE, tools, Array(1_000).fill(null));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe('Left out more than 100 entries of tools/list');
    expect(client.leftOut).toHaveLength(101);
  });

  it.each([
    ['no list', { tools: {} }],
    ['a cursor that is none', { tools: [null], nextCursor: 7 }],
  ])('a result with %s is refused as a whole', async (_, page) => {
    const { client, problems } = await connected(CORE, 'tools/list', page);
    await expect(client.tools()).rejects.toMatchObject({
      reason: 'invalid_answer',
      message: expect.stringMatching(/^Invalid answer: \/result\//) as string,
    });
    expect(problems).toEqual([]);
  });
});
