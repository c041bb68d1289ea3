import { PassThrough } from 'node:stream';

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { createTaskServer, defineTool } from '../../runtime/server/index.js';
import { lineTransport } from '../../runtime/server/sdk/line-transport.js';
import { servePipe } from '../../runtime/server/stdio.js';
import type { Dialect } from '../../runtime/tasks/index.js';
import { createPairs } from '../support/twin/names.js';
import { filled } from './both-ways.js';
import { withId } from './hostile/pair.js';
import { hostileMessages } from './hostile/requests.js';
import { eventually } from './hostile/wire.js';
import { type Client, clientOf, nextMillisecond, probe, seedPipe, settle } from './pipes.js';
import { WITH_DOOR } from './support.js';
import { hold, testTools } from './tools.js';

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

interface Way {
  readonly client: Client;
  readonly problems: string[];
  readonly names: ReadonlyMap<string, string>;
}

async function way(withDoor: boolean, dialect: Dialect): Promise<Way> {
  const { server, problems } = await serverOf();
  const client = clientOf(server, withDoor);
  await settle(client, dialect);
  const names = new Map(await seedPipe(client, dialect)).set('open', '0');
  // How often it asked until all tasks had settled is chance.
  client.lines.length = 0;
  return { client, problems, names };
}

/** `HOSTILE_RUNS=5000` draws more. */
const numRuns = Number(process.env['HOSTILE_RUNS'] ?? 100);

/** These ask both ways by themselves. */
describe.skipIf(!WITH_DOOR).each(['core', 'ext'] as const)('hostile lines (%s)', (dialect) => {
  it('get the same answers with the door and without', async () => {
    const ways = [await way(true, dialect), await way(false, dialect)] as const;
    const pairs = createPairs();
    pairs.same(...both((each) => [...each.names.values()].join('\n')));
    let lastId = 1_000;

    function both<T>(make: (each: Way) => T): readonly [T, T] {
      return [make(ways[0]), make(ways[1])];
    }
    async function send({ client, names }: Way, body: string, cuts: readonly number[]) {
      const bytes = Buffer.from(`${filled(body, names)}\n`, 'latin1');
      const places = cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
      for (const [at, from] of [0, ...places].entries()) {
        client.source.write(bytes.subarray(from, places[at] ?? bytes.length));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await client.request(probe(dialect, `probe-${lastId}`));
    }
    const said = ({ client, problems }: Way): string =>
      [...client.lines.filter(isOfRequest).sort(), ...problems].join('\n');
    /** What they have said is forgotten then. An answer that takes longer belongs to the next line of both. */
    function saySame(): boolean {
      const isSame = pairs.same(...both(said));
      if (isSame) both(({ client, problems }) => (client.lines.length = problems.length = 0));
      return isSame;
    }
    const isOfRequest = (line: string): boolean =>
      !line.includes('"probe-') && !line.includes('"notifications/tasks');

    await fc.assert(
      fc.asyncProperty(
        hostileMessages,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
        async (message, cuts) => {
          await nextMillisecond();
          const { body } = withId(message, (lastId += 1));
          await Promise.all(both((each) => send(each, body, cuts)));
          if (!(await eventually(saySame, 3_000))) {
            expect({ body, said: said(ways[0]) }).toEqual({ body, said: said(ways[1]) });
          }
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
    for (const withDoor of [true, false]) {
      for (let at = 0; at <= line.length; at += 7) {
        const source = new PassThrough();
        const target = new PassThrough().resume();
        const wire = lineTransport({ source, target, onTooSlow: () => undefined });
        const handle = servePipe(server, wire, withDoor);
        source.end(line + line.slice(0, at));
        await handle.closed;
      }
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
      const client = clientOf(server, true);
      await settle(client, 'core');
      const bytes = Buffer.from(lineOf(length) + lineOf(1_000));
      for (let at = 0; at < bytes.length; at += 60_000) {
        client.source.write(bytes.subarray(at, at + 60_000));
      }
      if (isTaken) await eventually(() => client.lines.length === 3, 10_000);
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
    const wire = lineTransport({ source, target, onTooSlow: () => (tooSlow += 1) });
    const handle = servePipe(server, wire);
    const send = (message: object): void =>
      void source.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ id: 'initialize', method: 'initialize', params });
    for (let id = 0; id < 20; id += 1) {
      send({ id, method: 'tools/call', params: { name: 'large', arguments: {} } });
    }
    await eventually(() => running === 20, 10_000);
    hold('large').release();
    await handle.closed;
    expect(tooSlow).toBe(1);
  });
});
