import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addressOf } from '../../runtime/stores/postgres/connection/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';

const taken = (connectionString: string, ssl?: boolean | object): string | undefined =>
  addressOf({ connectionString, ssl }).connectionString;

describe('the connection string of PostgreSQL', () => {
  it.each([
    'postgres://me:secret@db.example:5432/tasks',
    'postgresql://db.example/tasks?sslmode=disable',
    'postgres://me:secret@/tasks?host=/var/run/postgresql',
    '/var/run/postgresql tasks',
    'socket:/var/run/postgresql?db=tasks',
    'postgres://db.example/tasks?sslmode=require&uselibpqcompat=true',
  ])('may be %s', (text) => {
    expect(taken(text)).toBe(text);
  });

  it.each([
    'host=db.example password=secret',
    'db.example/tasks:secret',
    'mysql://me:secret@db.example/tasks',
    'https://me:secret@db.example/tasks',
    'postgres://me:se@cret#1@db.example/tasks',
  ])('is refused, and not quoted: case %#', async (text) => {
    const refused = openPostgresStore({ connectionString: text });
    await expect(refused).rejects.toThrow(
      'the connection string is not postgres://user:password@host:port/database',
    );
    await expect(refused).rejects.not.toThrow(/cret/);
  });

  it.each(['prefer', 'require', 'verify-ca'])(
    'has verify-full for sslmode=%s, for which the client library prints a warning',
    (mode) => {
      expect(taken(`postgres://db.example/tasks?sslmode=${mode}`)).toBe(
        'postgres://db.example/tasks?sslmode=verify-full',
      );
      expect(taken(`postgres://db.example/tasks?sslmode=${mode}`, { ca: '' })).toBe(
        'postgres://db.example/tasks',
      );
    },
  );
});

describe('what answers is no PostgreSQL', () => {
  async function storeAt(
    listener: (socket: Socket) => void,
    connectTimeoutMs: number,
  ): Promise<unknown> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const connectionString = `postgres://me:secret@127.0.0.1:${port}/tasks`;
    return openPostgresStore({ connectionString, connectTimeoutMs });
  }

  it('and closes the connection', async () => {
    await expect(storeAt((socket) => socket.end(), 60_000)).rejects.toThrow(
      'that host and port are those of a PostgreSQL',
    );
  });

  it('and says nothing', async () => {
    await expect(storeAt((socket) => socket.resume(), 200)).rejects.toThrow(
      'timeout expired. Check host and port',
    );
  });
});
