import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MOST_PAGES } from '../../runtime/admin/board/feed.js';
import { startBoard, type TestBoard } from './support.js';

const EVENTS = '/api/events';

/** Asks on one connection for as many streams as there may be, one behind the other, and disconnects. */
async function comeAndGo({ url, token }: TestBoard): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  const head = `GET ${EVENTS} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(head.repeat(MOST_PAGES));
  await once(socket, 'data');
  socket.resetAndDestroy();
}

/** The statuses of two streams that are open together. */
async function statusesOf({ url, token }: TestBoard): Promise<number[]> {
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const open = () => fetch(new URL(EVENTS, url), { headers, signal: leave.signal });
  const opened = await Promise.all([open(), open()]);
  leave.abort();
  return opened.map(({ status }) => status);
}

it('a page that closes before its token is verified is not admitted again', async () => {
  let asked = 0;
  let admit = (): void => undefined;
  const authenticate = async () => {
    asked += 1;
    await new Promise<void>((resolve) => (admit = resolve));
    return { clientId: 'app', expiresAt: 0 };
  };
  const { url } = await startBoard({ auth: { authenticate } });
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET ${EVENTS} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  await expect.poll(() => asked).toBe(1);
  socket.resetAndDestroy();
  await sleep(100);
  admit();
  await sleep(100);
  expect(asked).toBe(1);
});

it('a page that closes frees its streams, also those behind the first on its connection', async () => {
  const board = await startBoard();
  await comeAndGo(board);
  await expect.poll(() => statusesOf(board), { timeout: 5_000 }).toEqual([200, 200]);
});
