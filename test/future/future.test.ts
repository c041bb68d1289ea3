import { describe, expect, it } from 'vitest';
import * as late from '../../generated/2026-07-28/validators.js';
import { applyErrata } from '../../generator/read/errata/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { protocolFromSource, readProtocol } from '../../generator/protocol/protocol.js';
import type { ReadProtocol } from '../../generator/protocol/protocol.js';
import { createOracle, fuzz } from '../support/corpus/index.js';
import type { SchemaDocument } from '../support/corpus/index.js';
import { emitted } from '../support/emitted.js';
import { FUTURES, GAPS, SECOND_EXTENSION, TOGETHER } from './revisions.js';
import type { Future } from './revisions.js';
import { sized } from '../support/size.js';

const COUNT = sized(2_000);

const read = ({ name, schema }: Future): ReadProtocol =>
  protocolFromSource({ label: `${name}.json`, text: JSON.stringify(schema) });

function named(name: string): ReadProtocol {
  const found = FUTURES.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return read(found);
}

const request = ({ protocol }: ReadProtocol, method: string): unknown =>
  protocol.requests.find((each) => each.method === method);

describe.each(TOGETHER)('a protocol with $name', (each) => {
  it('has validators that agree with ajv', async () => {
    const { protocol } = read(each);
    const { is, validate } = await emitted(protocol);
    const document = applyErrata(each.schema).json as unknown as SchemaDocument;
    const ajv = createOracle(document, { formats: true });
    const options = { formats: true };
    const wrong: unknown[] = [];
    for (const made of fuzz(document, 16, COUNT)) {
      const { definition, value } = made;
      const expected = ajv.accepts(definition, value);
      const same = is(definition, value, options) === expected;
      if (!same || validate(definition, value, options).ok !== expected) wrong.push(made);
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

describe('a protocol of the future', () => {
  it.each([...FUTURES, ...TOGETHER].map((each) => [each.name, each] as const))(
    'is whole: %s',
    (_, each) => {
      expect(read(each).diagnostics).toEqual([]);
    },
  );

  it.each(GAPS.map((each) => [each.name, each] as const))('lacks something: %s', (_, each) => {
    const { diagnostics } = read(each);
    expect(
      diagnostics.map(({ severity, code, pointer = '' }) => `${severity} ${code} ${pointer}`),
    ).toEqual(each.gaps);
    for (const { source, help } of diagnostics) {
      expect(source).toBe(`${each.name}.json`);
      expect(help).toMatch(/^[A-Z].*\.$/);
    }
  });

  it.each(REVISIONS)('is not %s, in which nothing is missing', async (revision) => {
    expect((await readProtocol(revision)).diagnostics).toEqual([]);
  });

  it('has the results of all unions', () => {
    expect(request(named('result variants per tool'), 'tools/call')).toMatchObject({
      results: ['CallToolResult', 'WeatherResult', 'SearchResult', 'InputRequiredResult'],
    });
    expect(
      request(named('results behind a definition that is a union'), 'prompts/get'),
    ).toMatchObject({ results: ['AnyPromptResult'] });
  });

  it('has both methods of a request, with the same sender, params and results', () => {
    const found = named('a request with two methods');
    const { method: _, ...first } = request(found, 'tools/call') as { method: string };
    expect(request(found, 'tools/preview')).toEqual({ ...first, method: 'tools/preview' });
    expect(first).toMatchObject({ senders: ['client'], definition: 'CallToolRequest' });
  });

  it('has the senders of nested groups', () => {
    const found = named('messages grouped by feature');
    for (const method of ['agents/ask', 'tools/call', 'tools/list', 'prompts/get']) {
      expect(request(found, method), method).toMatchObject({ senders: ['client'] });
    }
  });

  it('has the capabilities of new methods', () => {
    expect(request(named('event sources on tasks'), 'tasks/subscribe')).toMatchObject({
      results: ['SubscribeTaskResult'],
      capabilities: [{ party: 'server', path: ['tasks', 'subscribe'] }],
    });
  });

  it('decodes messages whose ids are objects', async () => {
    const { exports } = await emitted(named('request ids that are objects').protocol);
    const decode = exports['decode'] as typeof late.decode;
    const id = { session: 's', sequence: 1 };
    const message = { jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: META } };
    const text = JSON.stringify(message);
    expect(decode(text, { from: 'client' })).toMatchObject({ ok: true, kind: 'request' });
    expect(decode(text.replace('1', 'true'), { from: 'client' })).toMatchObject({ ok: false });
  });
});

const META = {
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
};

describe('a second extension', () => {
  const { protocol, diagnostics } = read(SECOND_EXTENSION);

  it('is generated, and says that it has no envelopes', () => {
    expect(diagnostics.map(({ code }) => code)).toEqual(['missing-envelope', 'unnamed-protocol']);
    expect(protocol.requests).toMatchObject([
      { method: 'agents/list', senders: ['client'], results: ['ListAgentsResult'] },
    ]);
    expect(protocol.notifications).toMatchObject([
      { method: 'notifications/agents', senders: ['server'] },
    ]);
  });

  it('adds its messages to the validators of the revision', async () => {
    const { exports } = await emitted(protocol);
    const extension = exports['wire'] as typeof late.wire;
    const list = { jsonrpc: '2.0', id: 1, method: 'agents/list' };
    const known = { from: 'client', extensions: [extension] } as const;
    expect(late.validateMessage(list, known)).toMatchObject({ ok: true, kind: 'request' });
    expect(late.validateMessage(list, { from: 'client' })).toMatchObject({ ok: false });
    expect(late.validateMessage(list, { ...known, from: 'server' })).toMatchObject({ ok: false });
    const result = (agents: unknown): object => ({ resultType: 'complete', agents });
    const options = { extensions: [extension] };
    expect(late.validateResultOf('agents/list', result([]), options)).toMatchObject({ ok: true });
    expect(late.validateResultOf('agents/list', result(1), options)).toMatchObject({ ok: false });
  });
});
