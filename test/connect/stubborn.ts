import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Connects to a port, and ignores what would end it. */
const CHILD = `
  process.on('SIGTERM', () => {});
  require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
  setInterval(() => {}, 60_000);
`;
/** Starts the child, and ignores the same. */
const PARENT = `
  process.on('SIGTERM', () => {});
  const args = ['-e', ${JSON.stringify(CHILD)}, process.argv[1]];
  require('node:child_process').spawn(process.execPath, args, { stdio: 'ignore' });
  setInterval(() => {}, 60_000);
`;

interface Stubborn {
  readonly words: readonly [string, ...string[]];
  /** Resolves when the child of the command runs, and when it has ended. */
  readonly started: Promise<unknown>;
  readonly ended: Promise<unknown>;
}

/** A command whose process has a child. Both ignore SIGTERM and the end of their input. */
export async function stubbornCommand(): Promise<Stubborn> {
  const listener = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const started = once(listener, 'connection') as Promise<[Socket]>;
  const ended = started.then(([socket]) =>
    once(socket.on('error', () => undefined).resume(), 'close'),
  );
  return { words: ['node', '-e', PARENT, String(port)], started, ended };
}
