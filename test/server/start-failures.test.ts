import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  createTaskServer,
  defineTool,
  ListenError,
  serveHttp,
} from '../../runtime/server/index.js';
import { running, serveHealth } from '../../runtime/program/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import * as z from 'zod';

async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const NAME = { name: 'test', version: '1.0.0' };

async function failure(address: { port: number; host?: string }): Promise<string> {
  const server = await createTaskServer({ ...NAME, tools: [], onError: () => undefined });
  onTestFinished(() => server.close(0));
  const serving = serveHttp(server, { ...address, allowUnidentified: true });
  const error: unknown = await serving.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ListenError);
  await expect(serveHealth(server, address)).rejects.toThrow((error as Error).message);
  return (error as Error).message;
}

/** Ports below it need a right, which containers may give to every process. */
const unprivileged = (): number =>
  process.platform === 'linux'
    ? Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
    : 0;

describe('a server that cannot listen', () => {
  it('says that the port is in use', async () => {
    const port = await portInUse();
    expect(await failure({ port })).toBe(
      `Cannot listen at 127.0.0.1:${port}: the port is in use. Stop the program that uses it, or choose another port.`,
    );
  });

  it.each([
    ['203.0.113.7', /^Cannot listen at 203\.0\.113\.7:0: this machine does not have that address/],
    ['2001:db8::7', /^Cannot listen at \[2001:db8::7\]:0: this machine does not /],
    ['no such host', /^Cannot listen at no such host:0: the host name /],
  ])('says what is wrong with the host %s', async (host, message) => {
    expect(await failure({ port: 0, host })).toMatch(message);
  });

  it.skipIf(unprivileged() <= 80)('says that it may not use the port', async () => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await failure({ port: 80 })).toMatch(
        /^Cannot listen at 127\.0\.0\.1:80: this process may not use the port\. Choose one above 1023/,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('gives back the tasks that it took over', async () => {
    const store = createMemoryStore();
    const forever = defineTool({
      name: 'forever',
      description: 'Runs until it is stopped.',
      input: z.object({}),
      taskSupport: 'optional',
      retryable: true,
      run: ({ task }) =>
        new Promise<string>((_, reject) => {
          task.signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    const keep = { ...store, close: () => Promise.resolve() };
    const create = () => createTaskServer({ ...NAME, tools: [forever], store: keep });
    const first = await create();
    const caller = { owner: 'ann', dialect: 'core' } as const;
    const { id } = await first.engine.create(caller, {
      method: 'tools/call',
      tool: 'forever',
      args: {},
    });
    await first.close(0);
    const port = await portInUse();
    for (let start = 0; start < 5; start += 1) {
      const next = await create();
      const started = running(next, serveHttp(next, { port, allowUnidentified: true }));
      await expect(started).rejects.toThrow('the port is in use');
    }
    expect(await store.get({ ...caller, id })).toMatchObject({ status: 'working', worker: '' });
  });
});
