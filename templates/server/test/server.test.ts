import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIssuer, startProgram, startTestServer } from '@mcp-codegen/runtime/testing';
import type { TestServer } from '@mcp-codegen/runtime/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { server } from '../src/server.js';

describe('the server, in memory', () => {
  let app: TestServer;
  beforeAll(async () => {
    app = await startTestServer(server, {
      // The answer to "Which room?"
      answer: { form: () => ({ action: 'accept', content: { room: 'Tower' } }) },
    });
  });
  afterAll(() => app.close());

  it.each([
    ['count-words', { text: 'one two' }, { words: 2, characters: 7 }],
    ['count-primes', { limit: 1_000 }, { primes: 168 }],
    ['find-order', { id: '1001' }, { item: 'Teapot', status: 'delivered' }],
  ])('%s has the same result as plain call and as task', async (tool, args, expected) => {
    for (const [way, { structuredContent }] of await app.callEachWay(tool, args)) {
      expect(structuredContent, way).toEqual(expected);
    }
  });

  it('book-room asks the user for the room', async () => {
    for (const [way, { content }] of await app.callEachWay('book-room', { date: '2026-12-24' })) {
      expect(content, way).toMatchObject([{ text: 'Tower is booked on 2026-12-24.' }]);
    }
  });

  it('find-order tells the model which orders there are', async () => {
    const calls = app.callEachWay('find-order', { id: '9' });
    await expect(calls).rejects.toThrow('There is no order 9; orders are 1001, 1002');
  });

  it('has orders as resources, and a prompt about one', async () => {
    for (const way of app.ways) {
      const client = await app.client(way);
      const { contents } = await client.read('shop://orders/1001');
      expect(contents).toMatchObject([{ text: '{"item":"Teapot","status":"delivered"}' }]);
      const { messages } = await client.prompt('order-status', { id: '1001' });
      expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
      const id = { name: 'id', value: '1' };
      expect(await client.complete({ prompt: 'order-status' }, id)).toEqual(['1001', '1002']);
    }
  });
});

describe('the program', () => {
  it('serves clients until it is told to stop', async () => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = await startProgram(new URL('../src/main.ts', import.meta.url), {
      environment: { ...issuer.environment, DATABASE: join(folder, 'tasks.db') },
    });
    onTestFinished(async () => void (await program.kill()));

    const client = await program.connect({ token: issuer.token() });
    const { structuredContent } = await client.call('count-primes', { limit: 1_000 });
    expect(structuredContent).toEqual({ primes: 168 });
    await expect(program.connect({ token: 'forged' })).rejects.toThrow('invalid_token');
    const health = await fetch(new URL('/health', program.url));
    expect(await health.json()).toMatchObject({ status: 'ok' });
    expect(await program.stop()).toMatchObject({ code: 0 });
  });
});
