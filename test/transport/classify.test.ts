import { classifyInboundRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { classify, refuseHeaders } from '../../runtime/transport/http/classify.js';
import { Refused } from '../../runtime/transport/http/reply.js';
import { sized } from '../support/size.js';
import { stateless } from './rig.js';

const incomingOf = (headers: Readonly<Record<string, string>>) => ({
  header: (name: string): string | null => headers[name] ?? null,
  headerNames: () => Object.keys(headers),
});

const KINDS: Readonly<Record<string, string>> = {
  initialize: 'handshake',
  'no-claim': 'request',
  notification: 'notification',
  response: 'response',
  batch: 'batch',
};

type Verdict = string | readonly [number, number];

function ours(body: unknown, headers: Readonly<Record<string, string>>): Verdict {
  const kind = classify(incomingOf(headers), body);
  return kind instanceof Refused ? [kind.status, kind.code] : kind.kind;
}

function theirs(body: unknown, headers: Readonly<Record<string, string>>): Verdict {
  const judged = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(headers['mcp-protocol-version'] !== undefined && {
      protocolVersionHeader: headers['mcp-protocol-version'],
    }),
    ...(headers['mcp-method'] !== undefined && { mcpMethodHeader: headers['mcp-method'] }),
    ...(headers['mcp-name'] !== undefined && { mcpNameHeader: headers['mcp-name'] }),
  });
  if (judged.kind === 'reject') return [judged.httpStatus, judged.code];
  return judged.kind === 'modern' ? 'stateless' : (KINDS[judged.reason] ?? judged.reason);
}

const VERSIONS = ['2026-07-28', '2025-11-25', '2027-01-01', 'x', '', 7, undefined];

const envelope = fc
  .record(
    {
      [META_KEYS.protocolVersion]: fc.constantFrom(...VERSIONS),
      [META_KEYS.clientInfo]: fc.constantFrom<unknown>({ name: 'a', version: '1' }, {}, 'a'),
      [META_KEYS.clientCapabilities]: fc.constantFrom<unknown>({}, 'all'),
    },
    { requiredKeys: [] },
  )
  .map((meta) => JSON.parse(JSON.stringify(meta)) as JsonObject);
const params = fc.oneof(
  fc.constant(undefined),
  fc.record({ _meta: envelope, name: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
  fc.constant([]),
);
const message = fc
  .record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
      id: fc.constantFrom<unknown>(1, 'a', 1.5, null),
      method: fc.constantFrom<unknown>('tools/call', 'initialize', 'ping', 7),
      params,
      result: fc.constantFrom<unknown>({}, 7),
      error: fc.constantFrom<unknown>({ code: 1, message: 'm' }, { code: 'x' }),
    },
    { requiredKeys: ['jsonrpc'] },
  )
  // The SDK refuses further members, which our validators judge.
  .filter((each) => {
    const parts = ['method', 'result', 'error'].filter((name) => name in each);
    return parts.length < 2 && (parts[0] === 'method' || !('params' in each));
  })
  .map((each) => JSON.parse(JSON.stringify(each)) as JsonObject);
const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-11-25', ' 2026-07-28 ', 'x'),
    'mcp-method': fc.constantFrom('tools/call', 'ping', ' ping'),
  },
  { requiredKeys: [] },
);

describe('what a client posts', () => {
  it('is classified as the SDK classifies it', () => {
    const body = fc.oneof(
      { weight: 6, arbitrary: message },
      { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    fc.assert(
      fc.property(body, headers, (posted, given) => {
        expect(ours(posted, given)).toEqual(theirs(posted, given));
      }),
      { numRuns: sized(3_000) },
    );
  });
});

const SCHEMA = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    deep: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } } },
  },
};

describe('the headers of a request without a session', () => {
  const call = (args: JsonObject, more: Readonly<Record<string, string>> = {}) => {
    const { message: asked, headers: own } = stateless('tools/call', {
      name: 'tool',
      arguments: args,
    });
    return { asked, given: { ...own, ...more } };
  };
  const verdict = (asked: JsonObject, given: Readonly<Record<string, string>>) => {
    const incoming = incomingOf(given) as unknown as Parameters<typeof refuseHeaders>[0];
    const refused = refuseHeaders(incoming, asked, { inputSchemaOf: () => SCHEMA });
    return refused && [refused.status, refused.code];
  };
  const REFUSED = [400, -32020];
  const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  it.each<[string, JsonObject, Readonly<Record<string, string>>, readonly number[] | undefined]>([
    ['are enough', {}, {}, undefined],
    ['name the tool in Base64', {}, { 'mcp-name': base64('tool') }, undefined],
    ['name another tool', {}, { 'mcp-name': 'other' }, REFUSED],
    ['name another tool in Base64', {}, { 'mcp-name': base64('other') }, REFUSED],
    ['have a name in broken Base64', {}, { 'mcp-name': '=?base64?x?=' }, REFUSED],
    ['repeat an argument that is not ASCII', { region: 'ü' }, { 'mcp-param-region': 'ü' }, REFUSED],
    ['repeat an integer that is not safe', { count: 2 ** 53 }, { 'mcp-param-count': '5' }, REFUSED],
    ['lack an integer that is not safe', { count: 2 ** 53 }, {}, REFUSED],
    ['contradict a list', { region: ['eu'] }, { 'mcp-param-region': 'eu' }, REFUSED],
    ['lack a list, which the tool refuses', { region: ['eu'] }, {}, undefined],
    ['repeat an argument', { region: 'eu' }, { 'mcp-param-region': 'eu' }, undefined],
    ['repeat it in Base64', { region: 'ü' }, { 'mcp-param-region': base64('ü') }, undefined],
    ['lack an argument', { region: 'eu' }, {}, REFUSED],
    ['contradict an argument', { region: 'eu' }, { 'mcp-param-region': 'us' }, REFUSED],
    ['repeat a number', { count: 42 }, { 'mcp-param-count': '42.0' }, undefined],
    ['contradict a number', { count: 42 }, { 'mcp-param-count': '43' }, REFUSED],
    ['repeat an inner argument', { deep: { flag: true } }, { 'mcp-param-flag': 'true' }, undefined],
    ['lack an inner argument', { deep: { flag: true } }, {}, REFUSED],
    ['repeat an argument that is null', { region: null }, { 'mcp-param-region': 'eu' }, REFUSED],
    ['name an argument that is not there', {}, { 'mcp-param-region': 'eu' }, REFUSED],
    ['name one that the tool does not have', {}, { 'mcp-param-other': 'x' }, REFUSED],
  ])('%s', (_, args, more, expected) => {
    const { asked, given } = call(args, more);
    expect(verdict(asked, given)).toEqual(expected);
  });

  it('name a resource that is not ASCII as it is', () => {
    const asked = { ...call({}).asked, method: 'resources/read', params: { uri: 'x:ü' } };
    const given = { ...call({}).given, 'mcp-method': 'resources/read' };
    expect(verdict(asked, { ...given, 'mcp-name': 'x:ü' })).toEqual(REFUSED);
    expect(verdict(asked, { ...given, 'mcp-name': base64('x:ü') })).toBeUndefined();
  });

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('lack %s', (name) => {
    const { asked, given } = call({});
    const { [name]: __, ...rest } = given;
    expect(verdict(asked, rest)).toEqual(REFUSED);
  });
});
