import { connect, type Socket } from 'node:net';

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  createTaskServer,
  type HttpOptions,
  type RefusedRequest,
  serveHttp,
} from '../../runtime/server/index.js';
import { createReceiving } from '../../runtime/transport/index.js';
import { exchange, request } from './raw.js';
import { rig } from './support.js';
import { authorization, RESOURCE, tokenOf } from './tokens.js';
import { testTools } from './tools.js';

const MIB = 2 ** 20;
const LIMITS = { maxBodyBytes: MIB, maxReceivingBytes: MIB };
const SLOW = 300_000;

/** A request that is answered without a session, of this many bytes. */
function initialize(bytes = 0): string {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  };
  return JSON.stringify(message).padEnd(bytes);
}

const HEADERS = {
  Host: 'localhost',
  Authorization: `Bearer ${tokenOf('ann')}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

function bytesOf(body: string): Buffer {
  const length = ['Content-Length', String(body.length)] as const;
  return request('POST /mcp HTTP/1.1', [...Object.entries(HEADERS), length], body);
}

async function serve(options: HttpOptions): Promise<{ url: string; refused: RefusedRequest[] }> {
  const refused: RefusedRequest[] = [];
  const server = await createTaskServer({ name: 'test', version: '1.0.0', tools: testTools });
  const http = await serveHttp(server, {
    auth: authorization,
    onRefused: (each) => refused.push(each),
    ...options,
  });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return { url: http.url, refused };
}

interface SlowSender {
  readonly socket: Socket;
  /** What the server sends until it closes the connection. */
  readonly answer: Promise<string>;
  readonly finish: () => void;
}

/** Sends all of a body but its last byte. */
function slowly(url: string, body: string): SlowSender {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const bytes = bytesOf(body);
  socket.write(bytes.subarray(0, -1));
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (/\r\n\r\n./s.test(text)) resolve(text);
    });
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
  return { socket, answer, finish: () => void socket.write(bytes.subarray(-1)) };
}

describe('bodies that come slowly', () => {
  it('make room for others: one gets 503 and loses what it sent, the others go on', async () => {
    const { url, refused } = await serve(LIMITS);
    const slow = Array.from({ length: 4 }, () => slowly(url, initialize(SLOW)));
    const [answer, at] = await Promise.race(
      slow.map(async (each, index) => [await each.answer, index] as const),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/^retry-after: 1\r$/im);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain('"code":-32000');
    const others = slow.filter((_, index) => index !== at);
    others.forEach(({ finish }) => finish());
    for (const each of others) expect(await each.answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(refused).toEqual([{ status: 503, method: 'POST', path: '/mcp' }]);
  });

  it('keep no other body out, small or large', async () => {
    const { url } = await serve(LIMITS);
    const slow = Array.from({ length: 20 }, () => slowly(url, initialize(SLOW)));
    await Promise.race(slow.map(({ answer }) => answer));
    for (const size of [0, 1_000, MIB]) {
      expect((await exchange(url, bytesOf(initialize(size)))).status).toBe(200);
    }
    const chunks = initialize()
      .split('')
      .map((each) => `1\r\n${each}\r\n`);
    const chunked = [...Object.entries(HEADERS), ['Transfer-Encoding', 'chunked']] as const;
    const bytes = request('POST /mcp HTTP/1.1', chunked, `${chunks.join('')}0\r\n\r\n`);
    expect((await exchange(url, bytes)).status).toBe(200);
  });

  it('leave room when they end, are too large, or their clients disconnect', async () => {
    const { url } = await serve({ ...LIMITS, maxReceivingBytes: 1.5 * MIB });
    for (let round = 0; round < 3; round += 1) {
      const slow = Array.from({ length: 5 }, () => slowly(url, initialize(SLOW)));
      slow[0]?.finish();
      expect(await slow[0]?.answer).toMatch(/^HTTP\/1\.1 200 /);
      const size = (2 * MIB).toString(16);
      const chunked = [...Object.entries(HEADERS), ['Transfer-Encoding', 'chunked']] as const;
      const large = request('POST /mcp HTTP/1.1', chunked, `${size}\r\n${initialize(MIB + 1)}`);
      const { status } = await exchange(url, large);
      expect(status).toBe(413);
      slow.forEach(({ socket }) => socket.resetAndDestroy());
    }
    const last = Array.from({ length: 3 }, () => slowly(url, initialize(SLOW)));
    last.forEach(({ finish }) => finish());
    for (const { answer } of last) expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('make room in a host of web requests as well', async () => {
    const { http } = await rig({}, { auth: authorization, ...LIMITS });
    const cancelled: number[] = [];
    const ends: (() => void)[] = [];
    const send = (index: number): Promise<Response> => {
      const text = new TextEncoder().encode(initialize(SLOW));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(text.subarray(0, -1));
          ends[index] = () => {
            controller.enqueue(text.subarray(-1));
            controller.close();
          };
        },
        cancel: () => void cancelled.push(index),
      });
      return http.fetch(
        new Request(RESOURCE, { method: 'POST', headers: HEADERS, body, duplex: 'half' }),
      );
    };
    const answers = [0, 1, 2, 3].map(send);
    const first = await answers[0];
    expect(first?.status).toBe(503);
    expect(first?.headers.get('retry-after')).toBe('1');
    expect(cancelled).toEqual([0]);
    ends.slice(1).forEach((end) => end());
    for (const answer of answers.slice(1)) expect((await answer).status).toBe(200);
  });

  it('may be bounded to no less than one body', async () => {
    const bound = { maxBodyBytes: 2_000, maxReceivingBytes: 1_000 };
    await expect(serve(bound)).rejects.toThrow(
      'maxReceivingBytes: 1000 is less than maxBodyBytes (2000)',
    );
  });
});

describe('what has come of bodies', () => {
  it('is never more than the bound, and makes room for the latest', () => {
    const step = fc.record({
      body: fc.nat(9),
      bytes: fc.integer({ min: 0, max: 400 }),
      act: fc.constantFrom('add', 'add', 'add', 'whole', 'close'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const receiving = createReceiving(1_000);
        // By when they began, the longest ago first.
        const held = new Map<number, Buffer>();
        const refused: number[] = [];
        const open = (at: number) => receiving.open(() => refused.push(at));
        const bodies = new Map<number, ReturnType<typeof open>>();
        for (const [at, { body, bytes, act }] of steps.entries()) {
          const partial = bodies.get(body) ?? open(body);
          bodies.set(body, partial);
          const before = held.get(body) ?? Buffer.alloc(0);
          if (act === 'add') {
            const part = Buffer.alloc(bytes, at);
            held.set(body, Buffer.concat([before, part]));
            partial.add(part);
            const expected: number[] = [];
            for (const [each] of held) {
              const total = [...held.values()].reduce((sum, { length }) => sum + length, 0);
              if (total <= 1_000) break;
              held.delete(each);
              bodies.delete(each);
              expected.push(each);
            }
            expect(refused.splice(0)).toEqual(expected);
          } else {
            if (act === 'whole') {
              const whole = partial.whole();
              expect(Buffer.compare(whole, before)).toBe(0);
              expect(whole.buffer.byteLength).toBeLessThanOrEqual(2 * before.length);
            }
            partial.close();
            held.delete(body);
            bodies.delete(body);
          }
        }
        expect(refused).toEqual([]);
      }),
    );
  });
});
