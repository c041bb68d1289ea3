import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { lineReader } from './lines.js';
import type { Limit } from './lines.js';
import type { ProcessLocation } from './location.js';
import { boundsFor } from '../../../runtime/transport/reading/bounds.js';
import { answeredIn, MessageFault } from '../../../runtime/transport/reading/envelope.js';
import { readJson, TOO_HEAVY } from '../../../runtime/transport/reading/read-json.js';
import { endGroup, endOnExit } from './process-group.js';
import { startServer } from './start.js';

/** The last characters of the process's standard error that are kept. */
const KEPT_CHARACTERS = 2_000;

/** The standard streams of a server's process. */
export interface ProcessTransport extends Transport {
  /** The SDK's client recognizes a stdio transport by these two. */
  readonly pid: number | undefined;
  readonly stderr: null;
  /** Whether the process has ended by itself. */
  readonly hasEnded: boolean;
  /** Why this side closed the connection, if it did because of what the process wrote. */
  readonly failure: Error | undefined;
  /** The end of what the process wrote on standard error. */
  readonly said: string;
}

/**
 * Unlike the SDK's transport, this one reads one chunk of the output in a turn of the event loop. So a server that
 * writes without pause does not delay timeouts. Closing also ends the processes that the server started, and Ctrl-C at
 * the terminal does not reach them. It may be started again after it was closed.
 */
export function processTransport(
  location: ProcessLocation,
  limit: Limit,
  onStderr?: (text: string) => void,
): ProcessTransport {
  let child: ChildProcessWithoutNullStreams | undefined;
  let isOpen = false;
  let hasEnded = false;
  let failure: Error | undefined;
  let said = '';
  let closing: Promise<void> | undefined;
  let read = lineReader(limit, receive);

  const bounds = boundsFor('inAll' in limit ? limit.inAll : limit.aLine);

  /** Throws for a message that exceeds a bound, because the client would wait for its answer. */
  function receive(line: Buffer): void {
    const found = readJson(line, bounds);
    if (found.code !== undefined) {
      const why = `The server sent a line that ${found.why}`;
      if (found.code === TOO_HEAVY) throw new Error(why);
      // Programs that a server starts may write lines of their own.
      return transport.onerror?.(new MessageFault(why, answeredIn(String(line))));
    }
    const { value, text: json } = found;
    // A recording writes the numbers as they were sent. The peer judges the value, and takes lists where there are any.
    transport.onmessage?.(value as JSONRPCMessage, { json } as object);
  }

  function onOutput(output: ChildProcessWithoutNullStreams['stdout'], chunk: Buffer): void {
    if (!isOpen) return;
    output.pause();
    setImmediate(() => output.resume());
    try {
      read(chunk);
    } catch (error) {
      failure = error as Error;
      transport.onerror?.(failure);
      void transport.close();
    }
  }

  function ended(): void {
    if (!isOpen) return;
    isOpen = false;
    transport.onclose?.();
  }

  async function end(started: ChildProcessWithoutNullStreams): Promise<void> {
    await endGroup(started);
    // A process outside the group may keep the streams open.
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy();
  }

  const transport: ProcessTransport = {
    async start() {
      child = startServer(location, 'pipe') as ChildProcessWithoutNullStreams;
      closing = undefined;
      hasEnded = false;
      read = lineReader(limit, receive);
      const { stdin, stdout, stderr } = child;
      stdin.on('error', ignore);
      stdout.on('data', (chunk: Buffer) => onOutput(stdout, chunk));
      stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-KEPT_CHARACTERS);
        onStderr?.(text);
      });
      await once(child, 'spawn');
      isOpen = true;
      child
        .on('error', ignore)
        .once('close', endOnExit(child))
        .once('close', () => {
          hasEnded = isOpen;
          ended();
        });
    },
    send(message: JSONRPCMessage) {
      if (!isOpen) {
        return Promise.reject(new SdkError(SdkErrorCode.NotConnected, 'The process has ended'));
      }
      child?.stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    async close() {
      ended();
      if (child) await (closing ??= end(child));
    },
    get pid() {
      return child?.pid;
    },
    stderr: null,
    get hasEnded() {
      return hasEnded;
    },
    get failure() {
      return failure;
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
