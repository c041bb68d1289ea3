import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { ClientTransport } from '../../runtime/client/index.js';
import { UsageError } from './usage.js';

/** A file that gets every message of both directions, in the form that `mcp-codegen validate` reads. */
export interface Recording {
  /** Records the messages of a transport before it is started. */
  tap(transport: ClientTransport): void;
  /** Deletes a file without messages, so that its name can be used again. */
  close(): void;
}

/**
 * Creates the file, which only its user may read: messages contain tokens and answers. Each message is written
 * at once, so that a crash loses none.
 *
 * @throws {UsageError} when the file exists already, or cannot be created.
 */
export function openRecording(path: string): Recording {
  const file = create(path);
  let hasMessages = false;
  let hasAnswers = false;
  let sessions = 0;

  function write(direction: Direction, message: unknown): void {
    hasMessages = true;
    hasAnswers ||= direction === 'server->client';
    const record = { time: new Date().toISOString(), direction, session: sessions, message };
    writeSync(file, `${JSON.stringify(record)}\n`);
  }

  return {
    tap(transport) {
      // The server refused the transport of the attempt before: nothing was said in it.
      if (sessions > 0 && !hasAnswers) ftruncateSync(file, 0);
      sessions += 1;
      tapped(transport, write);
    },
    close() {
      closeSync(file);
      if (!hasMessages) unlinkSync(path);
    },
  };
}

type Direction = 'client->server' | 'server->client';

function tapped(transport: ClientTransport, write: (from: Direction, message: unknown) => void) {
  const send = transport.send.bind(transport);
  transport.send = (message: never, options: never) => {
    // Before it is sent, because its answer may arrive first.
    write('client->server', message);
    return send(message, options);
  };
  let receive: ClientTransport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive && record,
    set: (listener: ClientTransport['onmessage']) => (receive = listener),
  });
  function record(message: never, extra: never): void {
    write('server->client', message);
    receive?.(message, extra);
  }
}

function create(path: string): number {
  try {
    return openSync(path, 'ax', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new UsageError(
        `The file ${path} of --record exists already.`,
        'A recording is one conversation: name a new file.',
      );
    }
    throw new UsageError(`The file ${path} of --record cannot be created (${String(code)}).`);
  }
}
