import * as z from 'zod';
import { describe, expect, it } from 'vitest';

import { definePrompt, defineTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { authorization, RESOURCE } from './tokens.js';
import {
  EVERY_ASK,
  legacy,
  type Message,
  messagesOf,
  modern,
  modernResponse,
  post,
  type Rig,
  rig,
  tokenOf,
} from './support.js';
import { held } from './tools.js';

const HEADERS = { authorization: `Bearer ${tokenOf('ann')}`, 'mcp-protocol-version': '2025-11-25' };

async function sent(
  rigged: Rig,
  sessionId: string,
  method: string,
  params: JsonObject = {},
): Promise<Response> {
  const headers = { ...HEADERS, 'mcp-session-id': sessionId };
  return post(rigged.http, { id: 1, method, params }, headers);
}

async function allOf(response: Response): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of messagesOf(response)) messages.push(message);
  return messages;
}

const kindOf = (response: Response): string | undefined =>
  response.headers.get('content-type')?.split(';')[0];

describe('an answer of a session', () => {
  it.each<[string, string, (taskId: string) => JsonObject]>([
    ['application/json', 'ping', () => ({})],
    ['application/json', 'tools/list', () => ({})],
    ['application/json', 'tasks/get', (taskId) => ({ taskId })],
    ['application/json', 'tasks/get', () => ({ taskId: 'unknown' })],
    ['application/json', 'tasks/list', () => ({})],
    ['application/json', 'tasks/cancel', (taskId) => ({ taskId })],
    [
      'application/json',
      'tools/call',
      () => ({ name: 'held', arguments: { label: 'json' }, task: {} }),
    ],
    ['application/json', 'no/such', () => ({})],
    ['application/json', 'tools/call', () => ({ name: 'add', arguments: { a: 1, b: 2 } })],
    ['application/json', 'tasks/result', (taskId) => ({ taskId })],
  ])('is %s for %s', async (kind, method, params) => {
    const rigged = await rig();
    const client = await legacy(rigged);
    const { result } = await client.request('tools/call', {
      name: 'failing',
      arguments: {},
      task: {},
    });
    const { taskId } = (result?.['task'] ?? {}) as { taskId: string };
    const response = await sent(rigged, client.sessionId, method, params(taskId));
    expect(response.status).toBe(200);
    expect(kindOf(response)).toBe(kind);
    expect(response.headers.get('mcp-session-id')).toBe(client.sessionId);
    const [answer, ...more] = await allOf(response);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(more).toEqual([]);
  });

  it('is application/json for initialize, with the id of the session', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const response = await post(
      (await rig()).http,
      { id: 1, method: 'initialize', params },
      HEADERS,
    );
    expect(kindOf(response)).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\w-]+$/);
  });

  it('is a stream where something else has to be said first', async () => {
    const rigged = await rig({
      logging: true,
      prompts: [
        definePrompt({
          name: 'loud',
          get({ request }) {
            request.log('info', 'first');
            return { messages: [] };
          },
        }),
      ],
    });
    const client = await legacy(rigged);
    const response = await sent(rigged, client.sessionId, 'prompts/get', { name: 'loud' });
    expect(kindOf(response)).toBe('text/event-stream');
    const messages = await allOf(response);
    expect(messages.map(({ method }) => method)).toEqual(['notifications/message', undefined]);
  });

  it('is a stream where a task asks before it exists', async () => {
    const client = await legacy(await rig(), {
      capabilities: EVERY_ASK,
      respond: () => ({ result: { action: 'accept', content: { name: 'Ann' } } }),
    });
    const { result } = await client.request('tools/call', {
      name: 'asks-first',
      arguments: {},
      task: {},
    });
    expect(result).toHaveProperty('task');
    expect(client.heard.map(({ method }) => method)).toEqual(['elicitation/create']);
  });
});

describe('a stream on which nothing happens', () => {
  const options = { auth: authorization, keepAliveMs: 20 };

  /** The first comment that follows what is said when a stream begins. */
  async function comment(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk);
      const found = text.split('\n\n').find((frame) => frame.startsWith(': '));
      if (found !== undefined) return found;
    }
    throw new Error(`The stream ended: ${text}`);
  }

  it.each<[string, (rigged: Rig, taskId: string) => Promise<Response>]>([
    [
      'subscriptions/listen to tasks only',
      (rigged, taskId) =>
        modernResponse(rigged, 'subscriptions/listen', { notifications: { taskIds: [taskId] } }),
    ],
    [
      'subscriptions/listen to tasks and prompts',
      (rigged, taskId) =>
        modernResponse(rigged, 'subscriptions/listen', {
          notifications: { taskIds: [taskId], promptsListChanged: true },
        }),
    ],
    [
      'subscriptions/listen to prompts',
      (rigged) =>
        modernResponse(rigged, 'subscriptions/listen', {
          notifications: { promptsListChanged: true },
        }),
    ],
    [
      'the stream of a session',
      async (rigged) => {
        const { sessionId } = await legacy(rigged);
        const headers = {
          host: 'localhost',
          accept: 'text/event-stream',
          ...HEADERS,
          'mcp-session-id': sessionId,
        };
        return rigged.http.fetch(new Request(RESOURCE, { headers }));
      },
    ],
    [
      'a call of a session',
      async (rigged) => {
        const { sessionId } = await legacy(rigged);
        return sent(rigged, sessionId, 'tools/call', {
          name: 'held',
          arguments: { label: 'never released' },
        });
      },
    ],
  ])('shows signs of life: %s', async (_, open) => {
    const prompts = [definePrompt({ name: 'p', get: () => ({ messages: [] }) })];
    const rigged = await rig({ prompts }, options);
    const { result } = await modern(rigged, 'tools/call', {
      name: 'held',
      arguments: { label: 'silent-task' },
    });
    const response = await open(rigged, String(result?.['taskId']));
    expect(await comment(response)).toMatch(/^: keepalive$/);
  });
});

describe('Mcp-Param-* headers', () => {
  const region = defineTool({
    name: 'region',
    description: 'Says which region it was called for.',
    input: z.object({
      region: z.string().meta({ 'x-mcp-header': 'Region' }).optional(),
      place: z.object({ zone: z.string().meta({ 'x-mcp-header': 'Zone' }) }).optional(),
    }),
    run: ({ args }) => `${args.region ?? 'none'} ${args.place?.zone ?? 'none'}`,
  });

  const call = async (
    args: JsonObject,
    headers: Readonly<Record<string, string>>,
    method = 'tools/call',
  ) =>
    modern(
      await rig({ tools: [region, held] }),
      method,
      { name: 'region', arguments: args },
      { headers },
    );

  it('that match their arguments are taken', async () => {
    const args = { region: 'eu', place: { zone: 'a' } };
    const { result } = await call(args, { 'mcp-param-region': 'eu', 'Mcp-Param-Zone': 'a' });
    expect(result?.['content']).toEqual([{ type: 'text', text: 'eu a' }]);
  });

  it.each<[string, JsonObject, Readonly<Record<string, string>>]>([
    ['differ from their argument', { region: 'eu' }, { 'mcp-param-region': 'us' }],
    ['are missing', { region: 'eu' }, {}],
    ['have no argument', {}, { 'mcp-param-region': 'eu' }],
    ['have an argument that is null', { region: null }, { 'mcp-param-region': 'eu' }],
    ['have no argument inside another', { place: {} }, { 'mcp-param-zone': 'a' }],
    ['are of no parameter', { region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-other': 'x' }],
    ['have a name that objects inherit', {}, { 'mcp-param-constructor': 'x' }],
    ['have no name', {}, { 'mcp-param-': 'x' }],
  ])('that %s are refused with -32020', async (_, args, headers) => {
    const { status, error } = await call(args, headers);
    expect({ status, code: error?.code }).toEqual({ status: 400, code: -32020 });
  });

  it('on another request are refused, under its id', async () => {
    const rigged = await rig({ tools: [region] });
    const response = await modernResponse(
      rigged,
      'tools/list',
      {},
      { headers: { 'mcp-param-region': 'eu' } },
    );
    expect(response.status).toBe(400);
    const { id, error } = (await response.json()) as Message;
    expect(id).toEqual(expect.any(Number));
    expect(error?.code).toBe(-32020);
  });
});
