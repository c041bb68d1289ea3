import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { guarded, openRecording, recorded, RecordingError } from '../../contracts/index.js';
import type { AnyTransport, GuardFinding } from '../../contracts/index.js';
import { createTaskClient } from '../../runtime/client/index.js';
import { createTaskServer } from '../../runtime/server/index.js';
import { temporary } from '../client-commands/terminal.js';
import { LOCK } from '../guard/support.js';
import { testTools } from '../server/tools.js';
import { pipedTo } from '../support/stdio.js';
import { validateText } from '../validate/support.js';

const INFO = { name: 'test', version: '1' };
const ADD = { inputSchema: { a: z.number(), b: z.number() } };
const sum = ({ a, b }: { a: number; b: number }) => ({
  content: [{ type: 'text' as const, text: String(a + b) }],
});

type Wrap = <T extends AnyTransport>(transport: T, side: 'client' | 'server') => T;

/** Connects a client to a server, calls a tool, and closes: each with its transports wrapped. */
const WAYS: Readonly<Record<string, (wrap: Wrap) => Promise<unknown>>> = {
  'SDK v1': async (wrap) => {
    const server = new ServerV1(INFO);
    server.registerTool('add', ADD, sum);
    const [near, far] = MemoryV1.createLinkedPair();
    const client = new ClientV1(INFO);
    await server.connect(wrap(far, 'server'));
    await client.connect(wrap(near, 'client'));
    const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await client.close();
    return result.content;
  },
  'SDK v2': async (wrap) => {
    const server = new McpServer(INFO);
    server.registerTool('add', { inputSchema: z.object(ADD.inputSchema) }, sum);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client(INFO);
    await server.connect(wrap(far, 'server'));
    await client.connect(wrap(near, 'client'));
    const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await client.close();
    return result.content;
  },
  'our client and SDK v2': async (wrap) => {
    const server = new McpServer(INFO);
    server.registerTool('add', { inputSchema: z.object(ADD.inputSchema) }, sum);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = createTaskClient(INFO);
    await server.connect(wrap(far, 'server'));
    await client.connect(wrap(near, 'client'));
    const result = await client.call('add', { a: 1, b: 2 });
    await client.close();
    return result.content;
  },
  'this project': async (wrap) => {
    const server = await createTaskServer({ ...INFO, tools: testTools });
    onTestFinished(() => server.close(0));
    const client = createTaskClient(INFO);
    await client.connect(wrap(pipedTo(server), 'client'));
    const result = await client.call('add', { a: 1, b: 2 });
    await client.close();
    return result.content;
  },
};

const plain = (content: unknown): string => JSON.stringify(content);
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

describe.each(Object.entries(WAYS))('the transports of %s', (name, converse) => {
  // The server of this project opens its streams itself.
  const sides = name === 'this project' ? (['client'] as const) : (['client', 'server'] as const);
  it.each(sides)('of a %s are recorded, with nothing that validate finds', async (side) => {
    const file = join(temporary(), 'session.jsonl');
    const content = await converse((transport, whose) =>
      whose === side ? recorded(transport, { file, side }) : transport,
    );
    expect(plain(content)).toContain('3');
    const { findings, counts } = await validateText(readFileSync(file, 'utf8'));
    expect(findings).toEqual([]);
    expect(counts.messages).toBe(linesOf(file).length);
    expect(counts.messages).toBeGreaterThan(3);
    expect(counts.unanswered).toBe(0);
  });

  it('are guarded on each side, with nothing found in a good conversation', async () => {
    const found: GuardFinding[] = [];
    const onFinding = (finding: GuardFinding): void => void found.push(finding);
    const content = await converse((transport, side) =>
      guarded(transport, { side, enforce: true, onFinding }),
    );
    expect(plain(content)).toContain('3');
    expect(found).toEqual([]);
  });

  it.each(sides)('of a %s refuse calls that a lock does not have', async (guardedSide) => {
    const found: GuardFinding[] = [];
    const lock = { ...LOCK, tools: [] };
    const options = {
      lock,
      side: guardedSide,
      enforce: true,
      onFinding: (each: GuardFinding) => void found.push(each),
    };
    const content = converse((transport, side) =>
      side === guardedSide ? guarded(transport, options) : transport,
    );
    await expect(content).rejects.toThrow('not in the lock');
    expect(found.map(({ code }) => code)).toContain('not-in-lock');
  });
});

describe('a guard', () => {
  it('reports what onFinding throws to the user of the transport, and passes the message', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const onFinding = (): never => {
      throw new Error('the log is full');
    };
    const watched = guarded(near, { onFinding });
    const failed = new Promise((resolve) => (watched.onerror = resolve));
    const arrived = new Promise((resolve) => (far.onmessage = resolve));
    await far.start();
    await watched.start();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
    await watched.send(message);
    expect(await arrived).toEqual(message);
    expect(await failed).toMatchObject({ message: 'the log is full' });
  });
});

describe('a recording', () => {
  it('writes numbers as they were sent, beside masked secrets and names', () => {
    const file = join(temporary(), 'session.jsonl');
    const recording = openRecording(file);
    const json =
      '{"jsonrpc":"2.0","id":1.0,\n"result":{"pin":9007199254740993,"content":[1e3,-0,"1.0",0.10],"sk-aaaaaaaaaaaaaaaaaaaa":[2.0],"token":"Zq1234567"}}';
    const message: unknown = JSON.parse(json);
    recording.write({ from: 'server', session: recording.begin(), message, json });
    recording.close();
    const text = linesOf(file)[0] ?? '';
    expect(text.slice(text.indexOf('"message"')).replaceAll(/\*masked:\w{8}\*/g, '…')).toBe(
      '"message":{"jsonrpc":"2.0","id":1.0,"result":{"pin":0,"content":[1e3,-0,"1.0",0.10],"…":[2.0],"token":"…"}}}',
    );
  });

  it('is shared by transports, and numbers their sessions', async () => {
    const file = join(temporary(), 'session.jsonl');
    const recording = openRecording(file);
    const converse = WAYS['SDK v2'];
    for (let count = 0; count < 2; count += 1) {
      await converse?.((transport, side) =>
        side === 'client' ? recorded(transport, { file: recording }) : transport,
      );
    }
    recording.close();
    const sessions = linesOf(file).map((line) => (JSON.parse(line) as { session: number }).session);
    expect(new Set(sessions)).toEqual(new Set([1, 2]));
  });

  it('goes on with the numbers of sessions when its file ends with a long line', () => {
    const file = join(temporary(), 'session.jsonl');
    const long = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(1_500_000) } };
    for (let run = 0; run < 3; run += 1) {
      const recording = openRecording(file, { append: true });
      recording.write({ from: 'client', session: 1, message: {} });
      recording.write({ from: 'client', session: 2, message: {} });
      recording.write({ from: 'server', session: 1, message: long });
      recording.close();
    }
    const sessions = linesOf(file).map((line) => (JSON.parse(line) as { session: number }).session);
    expect(sessions).toEqual([1, 2, 1, 3, 4, 3, 5, 6, 5]);
  });

  it('refuses a file that exists, before the transport is used', () => {
    const file = join(temporary(), 'session.jsonl');
    const recording = openRecording(file);
    const [near] = InMemoryTransport.createLinkedPair();
    expect(() => recorded(near, { file })).toThrow(RecordingError);
    recording.close();
    expect(() => openRecording(temporary())).toThrow(/session|folder|exists/);
  });

  it('keeps the members of a transport', () => {
    const [near] = InMemoryTransport.createLinkedPair();
    const wrapped = recorded(near, { file: openRecording(join(temporary(), 'a.jsonl')) });
    wrapped.sessionId = 'x';
    expect(near.sessionId).toBe('x');
    expect(wrapped instanceof InMemoryTransport).toBe(true);
    const listener = (): void => undefined;
    wrapped.onmessage = listener;
    expect(wrapped.onmessage).toBe(listener);
  });
});
