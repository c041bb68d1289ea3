import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
} from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { startCore } from './steps.js';
import { legacy, post, rig, tokenOf } from './support.js';
import { release } from './tools.js';

const LONG = 'x'.repeat(100_000);
const VERSION = '2026-07-28';
const META = {
  [META_KEYS.protocolVersion]: VERSION,
  [META_KEYS.clientInfo]: { name: 'test', version: '1' },
  [META_KEYS.clientCapabilities]: {},
};
const OFFERED = {
  prompts: [definePrompt({ name: 'p', get: () => '', complete: {} })],
  resources: [
    defineResource({ uri: 'x:r', name: 'r', read: () => ({ text: '' }) }),
    defineResourceTemplate({
      uriTemplate: 'y:{id}',
      name: 't',
      read: () => ({ text: '' }),
      complete: { id: () => [] },
    }),
  ],
};

const COMPLETE = { argument: { name: 'id', value: '' } };
const TEMPLATE = { type: 'ref/resource', uri: 'y:{id}' };

describe('a refusal', () => {
  it.each<[string, string, JsonObject, Readonly<Record<string, string>>]>([
    ['of a method', LONG, {}, { 'mcp-method': 'tools/list' }],
    ['of a method without its header', LONG, {}, {}],
    ['of a name without its header', 'tools/call', { name: LONG }, { 'mcp-method': 'tools/call' }],
    [
      'of a name with another header',
      'tools/call',
      { name: LONG },
      { 'mcp-method': 'tools/call', 'mcp-name': 'other' },
    ],
    [
      'of a version',
      'tools/list',
      { _meta: { ...META, [META_KEYS.protocolVersion]: `2027${LONG}` } },
      { 'mcp-method': 'tools/list' },
    ],
    [
      'of a template',
      'completion/complete',
      { ...COMPLETE, ref: { type: 'ref/resource', uri: LONG } },
      { 'mcp-method': 'completion/complete' },
    ],
    [
      'of an argument',
      'completion/complete',
      { ref: TEMPLATE, argument: { name: LONG, value: '' } },
      { 'mcp-method': 'completion/complete' },
    ],
  ])('%s does not repeat a long text', async (_, method, params, more) => {
    const { http } = await rig(OFFERED);
    const headers = { authorization: `Bearer ${tokenOf('ann')}`, ...more };
    for (const versioned of [{}, { 'mcp-protocol-version': VERSION }]) {
      const message = { id: 1, method, params: { _meta: META, ...params } };
      const response = await post(http, message, { ...headers, ...versioned });
      const text = await response.text();
      expect(text).toContain('"error"');
      expect(text.length).toBeLessThan(2_000);
    }
  });

  it.each(['tools/call', 'prompts/get'])('of %s in a session does not either', async (method) => {
    const client = await legacy(await rig(OFFERED));
    const { error } = await client.request(method, { name: LONG });
    expect(error?.code).toBe(-32602);
    expect(JSON.stringify(error).length).toBeLessThan(1_000);
  });
});

it('a request that waits for a task takes no long params, because it keeps them', async () => {
  const client = await legacy(await rig());
  const { taskId } = await startCore(client, 'held', { label: 'long-texts' });
  const ask = (length: number) =>
    client.request('tasks/result', { taskId, _meta: { note: 'x'.repeat(length) } });
  release('long-texts');
  expect((await ask(2 ** 16)).error).toMatchObject({ code: -32602 });
  expect(await ask(60_000)).toHaveProperty('result');
});
