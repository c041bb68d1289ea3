import type { Readable, Writable } from 'node:stream';

/** All that the program knows of the process around it. */
export interface Io {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** For results. */
  readonly output: Output;
  /** For messages, progress and questions. */
  readonly messages: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls the listener at every Ctrl-C, instead of ending the process. Returns what undoes that. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export function processIo(): Io {
  return {
    input: process.stdin,
    output: process.stdout,
    messages: process.stderr,
    env: process.env,
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
  };
}

/** Whether a user can be asked. */
export function isInteractive({ input, messages }: Io): boolean {
  return input.isTTY === true && messages.isTTY === true;
}
