import { connect, type Socket } from 'node:net';

/** An answer as it comes over a connection. */
export interface WireAnswer {
  /** 0 until its head has come. */
  status: number;
  /** As they were sent, one a line. */
  headers: readonly string[];
  /** Every character a byte. */
  body: string;
  /** Whether its last byte has come. */
  whole: boolean;
}

/** A connection on which requests follow each other, and may be sent before earlier ones are answered. */
export interface Wire {
  readonly answers: readonly WireAnswer[];
  /** Whether the server has closed it. */
  readonly closed: boolean;
  /** Sends bytes as they are, which are requests with these methods. */
  send(pieces: readonly Buffer[], methods: readonly string[]): Promise<void>;
  /** Says that nothing more will be sent. */
  end(): void;
  /** Disconnects without a farewell. */
  break(): void;
}

export function wireTo(url: string): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const reader = createReader();
  let closed = false;
  socket.on('data', (chunk) => reader.add(chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    reader.end();
  });
  return {
    answers: reader.answers,
    get closed() {
      return closed;
    },
    async send(pieces, methods) {
      reader.expect(methods);
      for (const [at, piece] of pieces.entries()) {
        if (at > 0) await turn();
        await written(socket, piece);
      }
    },
    end: () => void socket.end(),
    break: () => void socket.resetAndDestroy(),
  };
}

function written(socket: Socket, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(piece, () => resolve());
  });
}

/** Lets the server read what was written before. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Cuts what a server sends into answers. */
function createReader() {
  const answers: WireAnswer[] = [];
  const methods: string[] = [];
  let rest = '';
  let current: WireAnswer | undefined;
  let take: (() => boolean) | undefined;

  function begin(): boolean {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [line = '', ...headers] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 999);
    rest = rest.slice(end + 4);
    current = { status, headers, body: '', whole: false };
    answers.push(current);
    const isInterim = status < 200;
    take = bodyOf(current, isInterim ? 'HEAD' : (methods.shift() ?? ''));
    return true;
  }

  function bodyOf(answer: WireAnswer, method: string): () => boolean {
    const text = answer.headers.join('\n');
    const bodiless = method === 'HEAD' || answer.status < 200 || answer.status === 204;
    if (!bodiless && /^transfer-encoding: chunked$/im.test(text)) return () => takeChunk(answer);
    const length = bodiless ? '0' : /^content-length: (\d+)$/im.exec(text)?.[1];
    return () => takeBytes(answer, length === undefined ? Infinity : Number(length));
  }

  function takeBytes(answer: WireAnswer, length: number): boolean {
    const missing = length - answer.body.length;
    answer.body += rest.slice(0, missing);
    rest = rest.slice(missing);
    answer.whole = answer.body.length === length;
    return answer.whole;
  }

  function takeChunk(answer: WireAnswer): boolean {
    const head = /^([0-9a-f]+)\r\n/.exec(rest);
    const size = head?.[1] === undefined ? undefined : Number.parseInt(head[1], 16);
    if (head === null || size === undefined || rest.length < head[0].length + size + 2)
      return false;
    answer.body += rest.slice(head[0].length, head[0].length + size);
    rest = rest.slice(head[0].length + size + 2);
    answer.whole = size === 0;
    return true;
  }

  return {
    answers,
    expect: (more: readonly string[]) => void methods.push(...more),
    add(text: string) {
      rest += text;
      for (;;) {
        if (current === undefined || current.whole) {
          if (!begin()) return;
        } else if (take?.() !== true) return;
      }
    },
    /** An answer without a length ends with its connection. */
    end() {
      const text = current?.headers.join('\n') ?? '';
      if (current !== undefined && !/^(?:transfer-encoding|content-length):/im.test(text)) {
        current.whole = true;
      }
    },
  };
}

/** Less than the five seconds after which Node closes any connection that waits, in milliseconds. */
export const BEFORE_NODE_CLOSES = 4_000;

/** Whether it holds within so many milliseconds. By default they suffice on a machine that does much else. */
export async function eventually(holds: () => boolean, ms = 30_000): Promise<boolean> {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return true;
}
