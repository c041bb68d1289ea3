import { connect } from 'node:net';

/** Requests over sockets, with as little work for the client as possible: one connection sends one at a time. */

/** Sends the bytes of a request, and resolves with the whole answer. */
export type Ask = (request: string) => Promise<string>;

export interface Wire {
  readonly ask: Ask;
  readonly send: (request: string) => void;
  /** Resolves with what came since the last answer, once `isEnough` accepts it. */
  readonly see: (isEnough: (text: string) => boolean) => Promise<string>;
  /** The same, and what comes next is another answer. */
  readonly take: (isEnough: (text: string) => boolean) => Promise<string>;
  readonly close: () => void;
}

/** Milliseconds without a byte after which an answer is given up. */
const PATIENCE = 30_000;

export async function openWire(url: string): Promise<Wire> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  let text = '';
  let waiting: Waiting | undefined;

  function look(): void {
    if (waiting?.isEnough(text) !== true) return;
    const { resolve } = waiting;
    waiting = undefined;
    resolve(text);
  }

  function giveUp(why: string): void {
    waiting?.reject(new Error(`${why} after ${JSON.stringify(text)}`));
    waiting = undefined;
  }

  socket.on('error', () => undefined);
  socket.on('close', () => giveUp('The server hung up'));
  socket.setTimeout(PATIENCE, () => giveUp('The server went silent'));
  socket.on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  const see: Wire['see'] = (isEnough) =>
    new Promise((resolve, reject) => {
      waiting = { isEnough, resolve, reject };
      look();
    });
  const take: Wire['take'] = async (isEnough) => {
    const taken = await see(isEnough);
    text = '';
    return taken;
  };
  const send = (request: string): void => void socket.write(request);
  return {
    ask(request) {
      send(request);
      return take(isWhole);
    },
    send,
    see,
    take,
    close: () => socket.destroy(),
  };
}

interface Waiting {
  readonly isEnough: (text: string) => boolean;
  readonly resolve: (text: string) => void;
  readonly reject: (why: Error) => void;
}

/** Whether a text is a whole HTTP answer. */
export function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return !/\r\ntransfer-encoding: chunked/i.test(head) || text.endsWith('0\r\n\r\n');
}
