import type { ChildProcess } from 'node:child_process';
import type { JsonObject } from '../../../tasks/index.js';
import {
  type ClientTransport,
  Closed,
  DEFAULT_MESSAGE_BYTES,
  type ServerCommand,
} from '../../index.js';
import { boundsFor } from '../../../transport/reading/bounds.js';
import { answeredIn, MessageFault } from '../../../transport/reading/envelope.js';
import { readJson, textOf, TOO_HEAVY } from '../../../transport/reading/read-json.js';
import { endGroup, endOnExit } from './group.js';
import { lineReader, type LineReader, type LineTakers } from './lines.js';
import { startServer } from './start.js';

/** The last characters of the process's standard error that are kept. */
const KEPT_CHARACTERS = 2_000;
/** Bytes of a line that an error quotes. */
const SHOWN_BYTES = 100;
/** Milliseconds between the end of the output and that of a process that ends. */
const END_GRACE = 1_000;

export interface ProcessOptions {
  /** Bytes of a line. Default 10 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Gets the bytes of each part of the output. What it throws ends the connection. */
  readonly count?: ((bytes: number) => void) | undefined;
}

export interface ProcessTransport extends ClientTransport {
  /** Of the process. */
  readonly pid: number | undefined;
  /** The end of what the process wrote on standard error, unless that is inherited. */
  readonly said: string;
}

/**
 * A connection to a process. It reads one chunk of the output in a turn of the event loop, so that a server that writes
 * without pause does not delay timeouts. Closing also ends the processes that the server started, and Ctrl-C at
 * the terminal does not reach them. It may be started again after it was closed.
 */
export function processTransport(
  server: ServerCommand,
  { maxMessageBytes: most = DEFAULT_MESSAGE_BYTES, count }: ProcessOptions = {},
): ProcessTransport {
  const { stderr: shown = 'inherit' } = server;
  let child: ChildProcess | undefined;
  let isOpen = false;
  let said = '';
  let closing: Promise<void> | undefined;
  let reader: LineReader | undefined;
  const bounds = boundsFor(most);

  /** Throws for a message that exceeds a bound, because the client would wait for its answer. */
  function receive(line: Uint8Array): void {
    const found = readJson(line, bounds);
    if (found.code !== undefined) {
      const why = `The server sent a line that ${found.why}`;
      if (found.code === TOO_HEAVY) throw new Error(why);
      // Programs that a server starts may write lines of their own.
      return fault(why, line);
    }
    const { value, text: json } = found;
    // A recording writes the numbers as they were sent. The peer judges the value, and takes lists where there are any.
    transport.onmessage?.(value as never, { json } as never);
  }

  function fault(why: string, bytes: Uint8Array): void {
    const text = textOf(bytes);
    transport.onerror?.(
      new MessageFault(why, answeredIn(text), { received: text.slice(0, KEPT_CHARACTERS) }),
    );
  }

  const takers: LineTakers = {
    one: receive,
    several: (lines) =>
      fault('The server sent JSON over several lines, and a message has to be one line', lines),
    noise(line) {
      const text = textOf(line.subarray(0, SHOWN_BYTES)).trim();
      const why = `The server wrote a line that is no message: ${JSON.stringify(text)}`;
      if (text !== '')
        transport.onerror?.(new MessageFault(why, undefined, { received: text, isNoise: true }));
    },
    cut: (line) => fault('The output of the server ended within a line', line),
  };

  function onOutput(output: NonNullable<ChildProcess['stdout']>, chunk: Uint8Array): void {
    if (!isOpen) return;
    output.pause();
    setImmediate(() => output.resume());
    try {
      count?.(chunk.length);
      reader?.push(chunk);
    } catch (error) {
      transport.onerror?.(error as Error);
      void transport.close();
    }
  }

  /** `why`: of what this side did not do. */
  function ended(why?: string): void {
    if (!isOpen) return;
    if (why !== undefined) {
      reader?.end();
      transport.onerror?.(new Closed(why));
    }
    isOpen = false;
    transport.onclose?.();
  }

  /** A server without output answers nothing. Its process ends in a moment, or lives on. */
  function outputEnded(own: ChildProcess): void {
    const late = setTimeout(() => {
      if (child !== own || !isOpen) return;
      ended('The process closed its standard output');
      void transport.close();
    }, END_GRACE);
    own.once('close', () => clearTimeout(late));
  }

  async function end(started: ChildProcess): Promise<void> {
    await endGroup(started);
    // A process outside the group may keep the streams open.
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream?.destroy();
  }

  const transport: ProcessTransport = {
    kind: 'pipe',
    async start() {
      closing = undefined;
      reader = lineReader(most, takers);
      const own = await startServer(server, [
        'pipe',
        'pipe',
        shown === 'inherit' ? 'inherit' : 'pipe',
      ]);
      child = own;
      const { stdin, stdout, stderr } = own;
      stdin?.on('error', ignore);
      stdout?.on('data', (chunk: Uint8Array) => onOutput(stdout, chunk));
      stdout?.once('end', () => outputEnded(own));
      stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-KEPT_CHARACTERS);
        if (typeof shown === 'function') shown(text);
      });
      isOpen = true;
      own
        .on('error', ignore)
        .once('close', endOnExit(own))
        .once('close', (code, signal) => {
          const how =
            signal === null ? `ended with exit code ${String(code)}` : `was ended by ${signal}`;
          ended(`The process ${how}`);
        });
    },
    send(message: JsonObject) {
      if (!isOpen) return Promise.reject(new Closed('The process has ended'));
      const stdin = child?.stdin;
      // A process that reads slowly takes the next message later.
      return new Promise((resolve) => {
        if (stdin?.write(`${JSON.stringify(message)}\n`) === false) stdin.once('drain', resolve);
        else resolve();
      });
    },
    async close() {
      ended();
      if (child) await (closing ??= end(child));
    },
    get pid() {
      return child?.pid;
    },
    get said() {
      return said.trim();
    },
  };
  return transport;
}

function ignore(): void {
  // A process that has ended does not take its input.
}
