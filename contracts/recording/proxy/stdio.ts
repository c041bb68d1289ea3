import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endGroup, passSignals, startServer } from '../../../runtime/client/node/process/index.js';
import type { ServerCommand } from '../../../runtime/client/index.js';
import { DiagnosticError, systemFailure } from '../../../generator/diagnostics/index.js';
import { quote } from '../../../json-schema/text.js';
import { relayLines } from './lines-relay.js';
import type { Watcher } from './watcher.js';

export interface StdioProxyOptions {
  readonly location: ServerCommand;
  readonly watcher: Watcher;
  /** The streams of the client. */
  readonly input: Readable;
  readonly output: Writable;
  /** Calls the listener at each Ctrl-C. Returns how to stop that. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** How a server's process ended. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a server, and passes bytes between it and the client. Standard error is the server's own. The end of the
 * client's stream is passed on, and so are signals. When the server has ended, so have the processes that it started.
 *
 * @throws {DiagnosticError} `unreachable-server` when it cannot be started.
 */
export async function proxyStdio(options: StdioProxyOptions): Promise<ServerEnd> {
  const { location, watcher, input, output, onInterrupt } = options;
  const child = await started(location);
  const { stdin, stdout } = child as ChildProcess & { stdin: Writable; stdout: Readable };
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const signals = passSignals(child);
  const stopListening = onInterrupt(() => signals.pass('SIGINT'));
  stdin.on('error', () => undefined);
  // A client that has ended reads no more.
  output.on('error', () => void endGroup(child));
  const asked = relayLines({
    from: 'client',
    source: input,
    sink: stdin,
    back: output,
    watcher,
  }).then(() => void stdin.end());
  const answered = relayLines({
    from: 'server',
    source: stdout,
    sink: output,
    back: stdin,
    watcher,
  });
  try {
    const [code, signal] = await Promise.race([
      exit,
      // Only a watcher that fails comes first.
      Promise.all([asked, answered]).then(() => exit),
    ]);
    await endGroup(child);
    await answered;
    return { code, signal };
  } catch (error) {
    await endGroup(child);
    throw error;
  } finally {
    signals.stop();
    stopListening();
    input.destroy();
  }
}

async function started(location: ServerCommand): Promise<ChildProcess> {
  try {
    return await startServer(location, ['pipe', 'pipe', 'inherit']);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'there is no such command' : systemFailure(error)?.reason;
    throw new DiagnosticError([
      {
        code: 'unreachable-server',
        severity: 'error',
        message: `Cannot start ${quote(location.command)}: ${reason ?? String(error)}.`,
        help: 'Is it installed, and on the PATH?',
      },
    ]);
  }
}
