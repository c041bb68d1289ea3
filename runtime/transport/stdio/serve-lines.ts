import { rpcError } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol/index.js';
import { isTooDeep, MOST_LEVELS } from '../levels.js';
import { TooSlow } from '../queue/outgoing.js';
import type { Served, ServedSession } from '../served.js';
import { Conversation } from './conversation.js';
import { LineInput } from './line-input.js';
import { LineOutput } from './line-output.js';
import type { LineSource, LineTarget } from './streams.js';

export interface LinesOptions<W, S extends ServedSession<W, S>> {
  readonly served: Served<W, S>;
  readonly source: LineSource;
  readonly target: LineTarget;
  /** Who is at the other end. */
  readonly who: W;
  /** Called when messages are dropped, or the connection is closed, because the reader is too slow. */
  readonly onTooSlow: () => void;
  readonly onError: (error: unknown) => void;
}

export interface LinesHandle {
  /** Resolves when the client has disconnected, or `close` was called. */
  readonly closed: Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
  /** What waits for the client, beside what the target has taken. */
  readonly waiting: number;
}

/** Serves one client, whose messages are lines of JSON. No more are taken while more than 1 MiB waits for it. */
export function serveLines<W, S extends ServedSession<W, S>>(
  options: LinesOptions<W, S>,
): LinesHandle {
  const { served, source, target, who, onTooSlow, onError } = options;
  let isOpen = true;
  let settle = (): void => undefined;
  const closed = new Promise<void>((resolve) => (settle = resolve));

  const output = new LineOutput({
    target,
    onTooSlow,
    onRoom: () => input.resume(),
    onOverflow: () => fail(new TooSlow()),
  });
  const input = new LineInput({
    take: (line) => receive(line),
    isBlocked: () => output.isFull,
    flow(flowing) {
      if (!isOpen) return;
      if (flowing) source.resume();
      else source.pause();
    },
  });
  const conversation = new Conversation(served, output, who);

  function receive(line: string): void {
    if (!isOpen || line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return conversation.refuse(NOT_JSON);
    }
    if (isTooDeep(line)) conversation.refuse(TOO_DEEP);
    else conversation.receive(value);
  }

  function onData(chunk: Uint8Array): void {
    try {
      input.add(chunk);
    } catch (error) {
      fail(error as Error);
    }
  }

  function onEnd(): void {
    input.end();
    close();
  }

  function fail(error: Error): void {
    if (isOpen) onError(error);
    close();
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    source.off('data', onData);
    source.off('error', onError);
    source.off('end', onEnd);
    source.off('close', close);
    // What was written last may fail later.
    target.off('error', fail);
    target.on('error', ignore);
    if (source.listenerCount('data') === 0) source.pause();
    input.clear();
    conversation.close();
    output.end();
    settle();
  }

  target.on('error', fail);
  source.on('error', onError);
  source.on('end', onEnd);
  source.on('close', close);
  source.on('data', onData);
  if (source.readableEnded || source.destroyed) setImmediate(close);
  return {
    closed,
    close() {
      close();
      return closed;
    },
    get waiting() {
      return output.waiting;
    },
  };
}

function ignore(): void {
  // The reader has closed the pipe.
}

const NOT_JSON = rpcError(ERROR_CODES.ParseError, 'The line is not JSON');
const TOO_DEEP = rpcError(
  ERROR_CODES.InvalidRequest,
  `The line is nested more than ${MOST_LEVELS} levels deep`,
);
