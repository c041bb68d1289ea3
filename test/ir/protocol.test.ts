import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildProtocol, EXCEPTIONS, methodsOf } from '../../generator/ir/index.js';
import type { Exceptions, Protocol } from '../../generator/ir/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { loadRevision, REVISIONS } from '../../generator/read/load/index.js';

const protocols = new Map(
  REVISIONS.map((revision) => [revision, buildProtocol(loadRevision(revision).document)]),
);
const protocol = (revision: (typeof REVISIONS)[number]): Protocol => {
  const found = protocols.get(revision);
  if (!found) throw new Error(revision);
  return found;
};
const request = (revision: (typeof REVISIONS)[number], method: string): unknown =>
  protocol(revision).requests.find((each) => each.method === method);

describe.each(REVISIONS)('the messages of %s', (revision) => {
  const { requests, notifications, definitions, extension } = protocol(revision);
  const names = new Set(definitions.map(({ name }) => name));

  it('refer to definitions that exist', () => {
    for (const { definition, results, params } of requests) {
      expect(names).toContain(definition);
      expect(results.length).toBeGreaterThan(0);
      for (const result of results) expect(names).toContain(result);
      if (params?.definition) expect(names).toContain(params.definition);
    }
    for (const { definition } of notifications) expect(names).toContain(definition);
  });

  it('have senders', () => {
    for (const { senders } of [...requests, ...notifications]) expect(senders).not.toEqual([]);
  });

  it('are all definitions with a literal method', () => {
    const byName = new Map(definitions.map((definition) => [definition.name, definition]));
    const methods = new Set([...requests, ...notifications].map(({ method }) => method));
    const fixed = definitions
      .filter(({ node }) => node.kind !== 'union')
      .flatMap(({ node }) => methodsOf(node, byName));
    const inherited = ['elicitation/create', 'roots/list', 'sampling/createMessage'];
    expect(methods).toEqual(
      new Set(fixed.filter((method) => extension === undefined || !inherited.includes(method))),
    );
  });

  it('need only capabilities that can be declared', () => {
    const owners = new Map(definitions.map((definition) => [definition.name, definition.node]));
    for (const { capabilities } of [...requests, ...notifications]) {
      for (const { party, path } of capabilities) {
        const owner = owners.get(party === 'client' ? 'ClientCapabilities' : 'ServerCapabilities');
        if (!owner) continue;
        expect(JSON.stringify(owner)).toContain(`"${path.at(-1) ?? ''}"`);
      }
    }
  });
});

describe('facts derived from several definitions', () => {
  it('a request without its own result gets an empty one', () => {
    expect(request('2025-11-25', 'ping')).toMatchObject({
      senders: ['client', 'server'],
      results: ['EmptyResult'],
      capabilities: [],
    });
  });

  it('a request that may become a task may get a task', () => {
    expect(request('2025-11-25', 'tools/call')).toMatchObject({
      results: ['CallToolResult', 'CreateTaskResult'],
      augmentable: true,
    });
    expect(request('2025-11-25', 'elicitation/create')).toMatchObject({ augmentable: true });
    expect(request('2025-11-25', 'prompts/get')).toMatchObject({ augmentable: false });
  });

  it('a multi-round-trip request may ask for input first', () => {
    expect(request('2026-07-28', 'tools/call')).toMatchObject({
      results: ['CallToolResult', 'InputRequiredResult'],
      augmentable: false,
    });
  });

  it('an input request is not a message', () => {
    expect(request('2026-07-28', 'elicitation/create')).toMatchObject({
      senders: ['server'],
      carrier: 'input',
      capabilities: [{ party: 'client', path: ['elicitation'] }],
    });
  });

  it('both sides may need a capability', () => {
    expect(request('2025-11-25', 'tasks/list')).toMatchObject({
      capabilities: [
        { party: 'server', path: ['tasks', 'list'] },
        { party: 'client', path: ['tasks', 'list'] },
      ],
    });
  });

  it('an extension adds methods and results to a revision', () => {
    const { extension, addedResults, requests } = protocol('ext-tasks');
    expect(extension).toEqual({ id: 'io.modelcontextprotocol/tasks', extends: '2026-07-28' });
    expect(addedResults).toEqual([{ method: 'tools/call', result: 'CreateTaskResult' }]);
    expect(requests.map(({ method }) => method)).toEqual([
      'tasks/cancel',
      'tasks/get',
      'tasks/update',
    ]);
  });

  it('errors are found wherever their code is a literal', () => {
    expect(protocol('2025-11-25').errors).toContainEqual({
      name: 'InvalidRequest',
      code: -32600,
    });
    expect(protocol('2025-11-25').errors).toContainEqual({
      name: 'URLElicitationRequired',
      code: -32042,
      definition: 'URLElicitationRequiredError',
    });
    expect(protocol('2026-07-28').errors).toContainEqual({
      name: 'ParseError',
      code: -32700,
      definition: 'ParseError',
    });
  });
});

describe('exceptions', () => {
  const without = <K extends keyof Exceptions>(key: K, value: Exceptions[K]): Exceptions => ({
    ...EXCEPTIONS,
    [key]: value,
  });
  const variants: [string, Exceptions][] = [
    ...EXCEPTIONS.capabilities.map((each): [string, Exceptions] => [
      each.method,
      without(
        'capabilities',
        EXCEPTIONS.capabilities.filter((other) => other !== each),
      ),
    ]),
    ...EXCEPTIONS.metaKeys.map((each): [string, Exceptions] => [
      each.key,
      without(
        'metaKeys',
        EXCEPTIONS.metaKeys.filter((other) => other !== each),
      ),
    ]),
    ...Object.entries(EXCEPTIONS.extensions).flatMap(([id, facts]) =>
      [
        ...facts.senders.map((each) => ({
          ...facts,
          senders: facts.senders.filter((other) => other !== each),
        })),
        ...facts.addedResults.map((each) => ({
          ...facts,
          addedResults: facts.addedResults.filter((other) => other !== each),
        })),
      ].map((left, index): [string, Exceptions] => [
        `${id} ${String(index)}`,
        without('extensions', { [id]: left }),
      ]),
    ),
  ];

  it.each(variants)('%s changes a revision', (_, exceptions) => {
    const changed = REVISIONS.filter((revision) => {
      const derived = buildProtocol(loadRevision(revision).document, exceptions);
      return !isDeepStrictEqual(derived, protocol(revision));
    });
    expect(changed).not.toEqual([]);
  });

  it('do not name a capability that a schema does not have', () => {
    expect(request('2024-11-05', 'completion/complete')).toMatchObject({ capabilities: [] });
    expect(request('2025-03-26', 'completion/complete')).toMatchObject({
      capabilities: [{ party: 'server', path: ['completions'] }],
    });
  });
});

describe('discriminators', () => {
  const discriminator = (definitions: Record<string, JsonSchema>): unknown => {
    const built = protocolOf(definitions);
    const union = built.definitions.find(({ name }) => name === 'Union')?.node;
    return union?.kind === 'union' ? union.discriminator : undefined;
  };
  const member = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
    type: 'object',
    properties,
    required,
  });
  const A = member({ kind: { const: 'a' }, n: { const: 1 } }, ['kind']);
  const B = member({ kind: { enum: ['b', 'c'] }, n: { const: 2 } }, ['kind', 'n']);

  it('are required, literal and different', () => {
    expect(discriminator({ Union: { anyOf: [A, { $ref: '#/$defs/B' }] }, B })).toEqual({
      property: 'kind',
      cases: [
        { value: 'a', member: 0 },
        { value: 'b', member: 1 },
        { value: 'c', member: 1 },
      ],
    });
  });

  it.each([
    ['shared', [A, A]],
    ['optional', [A, member({ kind: { const: 'z' } }, [])]],
    ['open', [A, member({ kind: { type: 'string' } }, ['kind'])]],
    ['missing', [A, { type: 'null' }]],
  ])('are not %s', (_, members) => {
    expect(discriminator({ Union: { anyOf: members } })).toBeUndefined();
  });
});
