import {
  type Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyObject, at } from '../../runtime/peer/wire/json.js';
import { clientV2, streamV1, taskSession } from '../server/clients.js';
import { type Scaffolded, scaffold } from './scaffolded.js';

/** The clients that people have, against what `new server` makes. */

let server: Scaffolded;
beforeAll(async () => {
  server = await scaffold();
});
afterAll(() => server.close());

const ANSWER = { room: 'Tower' };
const PRIMES = { name: 'count-primes', arguments: { limit: 1_000 } };
const BOOKING = { name: 'book-room', arguments: { date: '2026-12-24' } };
const COUNTED = { structuredContent: { primes: 168 } };
const BOOKED = { content: [{ text: 'Tower is booked on 2026-12-24.' }] };

describe.each(['stdio', 'http'])('over %s', (kind) => {
  const transport = (): Transport => {
    const { headers, url } = server.guarded;
    return kind === 'stdio'
      ? new StdioClientTransport(server.stdio)
      : new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  };

  it.each(['legacy', 'auto'] as const)('the v2 client calls in mode %s', async (mode) => {
    const client = await clientV2(transport(), mode, ANSWER);
    expect(await client.callTool(PRIMES)).toMatchObject(COUNTED);
    expect(await client.callTool(BOOKING)).toMatchObject(BOOKED);
  });

  it('the v2 client runs core tasks', async () => {
    const client: Client = await clientV2(transport(), 'legacy', ANSWER);
    for (const [call, expected] of [
      [PRIMES, COUNTED],
      [BOOKING, BOOKED],
    ] as const) {
      const created = await client.request(
        { method: 'tools/call', params: { ...call, task: {} } },
        anyObject,
      );
      const params = { taskId: at(created, ['task', 'taskId']) };
      expect(await client.request({ method: 'tasks/result', params }, anyObject)).toMatchObject(
        expected,
      );
    }
  });

  it('the v1 client streams tasks', async () => {
    const { headers, url } = server.guarded;
    const old =
      kind === 'stdio'
        ? new StdioV1(server.stdio)
        : // Its own types are not exact about optional properties.
          (new HttpV1(url, { requestInit: { headers } }) as TransportV1);
    const streams = await streamV1(old, ANSWER, [PRIMES, BOOKING]);
    for (const [index, result] of [COUNTED, BOOKED].entries()) {
      expect(streams[index]?.[0]).toMatchObject({ type: 'taskCreated' });
      expect(streams[index]?.at(-1)).toMatchObject({ type: 'result', result });
    }
  });

  it('the ext-tasks client runs tasks of both dialects', async () => {
    const options = { task: { preference: 'prefer' } } as const;
    const core = await taskSession(transport(), 'legacy', ANSWER);
    const ext = await taskSession(transport(), 'auto', ANSWER);
    for (const execution of [
      await core.callTool(PRIMES.name, PRIMES.arguments, options),
      await ext.callTool(PRIMES.name, PRIMES.arguments),
    ]) {
      expect(execution.kind).toBe('task');
      const { outcome } = await execution.settle();
      expect(resultFromTaskOutcome(outcome)).toMatchObject(COUNTED);
    }
    const booking = await ext.callTool(BOOKING.name, BOOKING.arguments);
    expect(resultFromTaskOutcome((await booking.settle()).outcome)).toMatchObject(BOOKED);
  });
});
