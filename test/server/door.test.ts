import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { defineTool } from '../../runtime/server/index.js';
import { recordTelemetry } from '../support/telemetry.js';
import { bothWays, type Seen, type Sent, type Way } from './both-ways.js';
import { changed, type Draft, REQUESTS } from './drafts.js';
import {
  legacy,
  type Message,
  messagesOf,
  modern,
  modernResponse,
  rig,
  rig,
  WITH_DOOR,
} from './support.js';

function sent({ headers, message }: Draft): Sent {
  return {
    line: 'POST /mcp HTTP/1.1',
    headers: Object.entries(headers),
    body: JSON.stringify(message) ?? '',
  };
}

async function expectSame([open, shut]: readonly [Way, Way], draft: Draft): Promise<Seen> {
  const request = sent(draft);
  const seen = await open.send(request);
  expect(seen, JSON.stringify(request)).toEqual(await shut.send(request));
  return seen;
}

/** `DOOR_RUNS=5000` draws more. */
const numRuns = Number(process.env['DOOR_RUNS'] ?? 300);

/** These ask both ways by themselves. */
describe.skipIf(!WITH_DOOR)('the door answers as the SDK does', () => {
  const recorded = recordTelemetry();

  it('every kind of request', async () => {
    const ways = await bothWays(recorded);
    for (const draft of Object.values(REQUESTS)) {
      expect((await expectSame(ways, draft)).spans).toHaveLength(1);
    }
  });

  it('every kind of request, changed in up to three places', async () => {
    const ways = await bothWays(recorded);
    await fc.assert(
      fc.asyncProperty(
        changed(Object.values(REQUESTS)),
        async (draft) => void (await expectSame(ways, draft)),
      ),
      { numRuns },
    );
  });

  it('and without it: no server instance is made for a request that it answers', async () => {
    let instances = 0;
    const { http } = await rig({
      setup(mcp) {
        instances += 1;
        mcp.registerTool('other', {}, () => ({ content: [] }));
      },
    });
    const made = instances;
    await modern({ http }, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    await modern({ http }, 'tasks/get', { taskId: 'bogus' });
    const inputResponses = { name: { action: 'decline' } };
    await modern({ http }, 'tasks/update', { taskId: 'bogus', inputResponses });
    expect(instances).toBe(made);
    await modern({ http }, 'tools/list');
    expect(instances).toBe(made + 1);
  });

  it('the SDK answers the first server/discover and tools/list, the door the next ones', async () => {
    const answered: unknown[][] = [];
    for (const setup of [undefined, () => undefined]) {
      const recordedAnswers: unknown[] = [];
      const { http, server } = await rig(setup && { setup });
      const connect = vi.spyOn(server, 'connection');
      const client = await legacy({ http });
      connect.mockClear();
      for (const method of ['server/discover', 'tools/list']) {
        const ask = () => modern({ http }, method);
        recordedAnswers.push(await ask());
        expect([await ask(), await ask()]).toEqual([
          recordedAnswers.at(-1),
          recordedAnswers.at(-1),
        ]);
      }
      recordedAnswers.push(await client.request('tools/list'), await client.request('tools/list'));
      expect(connect).toHaveBeenCalledTimes(setup ? 6 : 2);
      answered.push(recordedAnswers);
    }
    expect(answered[0]).toEqual(answered[1]);
  });

  it('what a tool sends goes through the SDK, before the answer', async () => {
    const chatty = defineTool({
      name: 'chatty',
      description: 'Uses the context of its request.',
      input: z.object({}),
      run({ task, request }) {
        task.progress({ progress: 1 });
        void request?.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: 'p', progress: 1.5 },
        });
        task.progress({ progress: 2 });
        return String(request?.http?.req?.headers.get('mcp-name'));
      },
    });
    const { http, problems } = await rig({ tools: [chatty] });
    const call = { name: 'chatty', arguments: {}, _meta: { progressToken: 'p' } };
    const response = await modernResponse({ http }, 'tools/call', call);
    const messages: Message[] = [];
    for await (const message of messagesOf(response)) messages.push(message);
    expect(messages.map(({ method, params, result }) => [method, params ?? result])).toMatchObject([
      ['notifications/progress', { progressToken: 'p', progress: 1 }],
      ['notifications/progress', { progressToken: 'p', progress: 1.5 }],
      ['notifications/progress', { progressToken: 'p', progress: 2 }],
      [undefined, { content: [{ text: 'chatty' }] }],
    ]);
    expect(problems).toEqual([]);
  });

  it('handlers that `setup` sets for a method answer it', async () => {
    const { http } = await rig({
      setup: ({ server }) => {
        const params = { params: z.looseObject({}) };
        server.setRequestHandler('tasks/get', params, () => ({
          resultType: 'complete',
          own: true,
        }));
      },
    });
    const { error } = await modern({ http }, 'tasks/get', { taskId: 'bogus' });
    expect(error?.message).toContain('Invalid result');
  });
});
