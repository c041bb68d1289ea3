import { connect, type Socket } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { begin, post, rig, stateless, text, until } from './rig.js';

function socketTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function bytesOf(message: object, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(message);
  const all = { host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

const call = (name: string, id: number) => {
  const { message, headers } = stateless('tools/call', { name, arguments: {} }, id);
  return bytesOf(message, headers);
};

describe('a connection to Node', () => {
  it('that closes cancels the requests that wait behind another one too', async () => {
    const signals: AbortSignal[] = [];
    const { url, problems } = await rig({
      waits: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    const socket = socketTo(url);
    socket.write(call('waits', 1) + call('waits', 2));
    await until(() => signals.length === 2);
    socket.destroy();
    await until(() => signals.every(({ aborted }) => aborted));
    expect(problems).toEqual([]);
  });

  it('keeps no session whose handshake it did not see answered', async () => {
    const { url, served } = await rig({ waits: () => new Promise(() => undefined) });
    const socket = socketTo(url);
    const headers = await begin(url);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { 'mcp-session-id': _, ...rest } = headers;
    socket.write(
      call('waits', 1) + bytesOf({ jsonrpc: '2.0', id: 2, method: 'initialize', params }, rest),
    );
    await until(() => served.sessions.length === 2);
    socket.destroy();
    await until(() => served.sessions[1]?.peer.isClosed === true);
    expect(served.sessions[0]?.peer.isClosed).toBe(false);
  });

  it('that is not read is closed when more than 1 MiB waits for it', async () => {
    const { url, slow } = await rig({
      async logs(_, exchange) {
        for (let n = 0; !exchange.gone.aborted; n += 1) {
          void exchange.notify('notifications/message', {
            level: 'info',
            data: 'x'.repeat(50_000),
          });
          await new Promise((resolve) => setImmediate(resolve));
        }
        return text('done');
      },
    });
    const socket = socketTo(url);
    socket.pause();
    socket.write(call('logs', 1));
    await until(() => slow.length > 0);
    expect(slow).toEqual(['ann']);
  });

  it('gets the events of one turn in one piece', async () => {
    const { url } = await rig({
      async reports(_, exchange) {
        const all = [];
        for (let n = 1; n <= 10; n += 1) {
          const params = { progressToken: 'p', progress: n };
          all.push(exchange.notify('notifications/progress', params));
        }
        await Promise.all(all);
        return text('done');
      },
    });
    const socket = socketTo(url);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(call('reports', 1));
    await until(() => Buffer.concat(chunks).toString().endsWith('0\r\n\r\n'));
    expect(
      Buffer.concat(chunks)
        .toString()
        .match(/event: message/g),
    ).toHaveLength(11);
    expect(
      Buffer.concat(chunks)
        .toString()
        .match(/\r\n[\da-f]+\r\nevent/g),
    ).toHaveLength(1);
  });

  it('is answered although its requests come in parts', async () => {
    const { url } = await rig({ say: () => text('hello') });
    const socket = socketTo(url);
    let said = '';
    socket.on('data', (chunk) => (said += chunk.toString()));
    for (const part of call('say', 1).match(/[^]{1,40}/g) ?? []) {
      socket.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => said.includes('hello'));
    expect(said).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

it('refuses what comes after it was closed', async () => {
  const { url, endpoint } = await rig();
  endpoint.close();
  const { message, headers } = stateless('ping');
  expect((await post(url, message, headers)).status).toBe(503);
});
