import { PassThrough } from 'node:stream';

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { DIALECT_VERSIONS } from '../../runtime/protocol.js';
import { createTaskServer, defineTool, serveStdio } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { serveLines } from '../../runtime/transport/index.js';
import { loadRevisions, type Revision } from '../../runtime/peer/wire/revision.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { filled } from './seeded.js';
import { withId } from './hostile/pair.js';
import { hostileMessages } from './hostile/requests.js';
import { eventually } from './hostile/wire.js';
import { clientOf, probe, seedPipe, settle } from './pipes.js';
import { hold, testTools } from './tools.js';
import { sized } from '../support/size.js';

async function serverOf(tools = testTools) {
  const problems: string[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools,
    onError: ({ message }) => void problems.push(message),
  });
  onTestFinished(async () => {
    hold('forever').release();
    await server.close(0);
  });
  return { server, problems };
}

const numRuns = sized(100);

describe.each(['core', 'ext'] as const)('hostile lines (%s)', (dialect) => {
  it('get valid answers, at most one each, and hold nothing up', async () => {
    const { server, problems } = await serverOf();
    const client = clientOf(server);
    await settle(client, dialect);
    const names = new Map(await seedPipe(client, dialect)).set('open', '0');
    const { loaded } = await loadRevisions(server.revisions, true, ON_DEMAND);
    const revision = loaded.get(DIALECT_VERSIONS[dialect]) as Revision;
    let lastId = 1_000;

    async function send(body: string, cuts: readonly number[]): Promise<void> {
      const bytes = Buffer.from(`${filled(body, names)}\n`, 'latin1');
      const places = cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
      for (const [at, from] of [0, ...places].entries()) {
        client.source.write(bytes.subarray(from, places[at] ?? bytes.length));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await client.request(probe(dialect, `probe-${lastId}`));
    }

    await fc.assert(
      fc.asyncProperty(
        hostileMessages,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
        async (message, cuts) => {
          client.lines.length = problems.length = 0;
          const { body } = withId(message, (lastId += 1));
          await send(body, cuts);
          const said = client.lines.map((line) => JSON.parse(line) as JsonObject);
          for (const each of said) {
            // JSON-RPC asks for null where the id could not be read, which the schemas do not have.
            const { id, ...rest } = each;
            const checked = id === null ? rest : each;
            expect(revision.check(checked, 'server'), JSON.stringify(each)).toBeUndefined();
          }
          const ids = said.map(({ id }) => id);
          const answers = ids.filter((id) => id !== undefined && id !== null);
          expect(new Set(answers).size, JSON.stringify(answers)).toBe(answers.length);
          // A body with line ends is several lines, none of which has an id that can be read.
          const unread = ids.filter((id) => id === null).length;
          expect(unread, JSON.stringify(said)).toBeLessThanOrEqual(body.split('\n').length);
          expect(problems.length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns },
    );
  });
});

describe('a client over stdio', () => {
  it('that closes its input in the middle of a line ends the connection, wherever that is', async () => {
    const { server } = await serverOf();
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...probe('core', 'p') })}\n`;
    for (let at = 0; at <= line.length; at += 7) {
      const source = new PassThrough();
      const handle = serveStdio(server, { source, target: new PassThrough().resume() });
      source.end(line + line.slice(0, at));
      await handle.closed;
    }
  });

  it('may send lines of 10 MiB, however they are cut, and is disconnected for a longer one', async () => {
    const longest = 10 * 2 ** 20;
    const { server } = await serverOf();
    const empty = JSON.stringify({ jsonrpc: '2.0', ...probe('core', '') });
    const lineOf = (length: number): string =>
      `${empty.replace('"id":""', `"id":"${'x'.repeat(length - empty.length - 1)}"`)}\n`;
    for (const [length, isTaken] of [
      [longest, true],
      [longest + 1, false],
    ] as const) {
      const client = clientOf(server);
      await settle(client, 'core');
      const bytes = Buffer.from(lineOf(length) + lineOf(1_000));
      for (let at = 0; at < bytes.length; at += 60_000) {
        client.source.write(bytes.subarray(at, at + 60_000));
      }
      if (isTaken) await eventually(() => client.lines.length === 3);
      else await client.closed;
      expect(client.lines.length).toBe(isTaken ? 3 : 1);
    }
  });

  it('that reads nothing is disconnected when more than 64 MiB wait for it', async () => {
    const size = 5 * 2 ** 20;
    let running = 0;
    const large = defineTool({
      name: 'large',
      description: 'Waits, and says a lot.',
      input: z.object({}),
      async run() {
        running += 1;
        await hold('large').released;
        return 'x'.repeat(size);
      },
    });
    const { server } = await serverOf([large] as never);
    const [source, target] = [new PassThrough(), new PassThrough()];
    let tooSlow = 0;
    const handle = serveLines({
      served: server.serve({ identification: 'local', asksUnidentified: false }),
      source,
      target,
      who: undefined,
      onTooSlow: () => (tooSlow += 1),
      onError: server.onError,
    });
    const send = (message: object): void =>
      void source.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ id: 'initialize', method: 'initialize', params });
    for (let id = 0; id < 20; id += 1) {
      send({ id, method: 'tools/call', params: { name: 'large', arguments: {} } });
    }
    await eventually(() => running === 20);
    hold('large').release();
    await handle.closed;
    expect(tooSlow).toBe(1);
  });
});
