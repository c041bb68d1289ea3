import type { Diagnostic } from '../../generator/diagnostics/index.js';
import type { Readable, Writable } from 'node:stream';

/** The process as this room sees it. The `Io` of the command line has these members, too. */
export interface ClientIo {
  /** For results, which the caller writes. */
  readonly out: Omit<Messages, 'write'>;
  /** For messages and progress. */
  readonly err: Messages;
  /** The terminal for questions, if there is one. */
  readonly terminal: Terminal | undefined;
  readonly cwd: string;
  readonly env: Env;
  /** Calls the listener at every Ctrl-C, instead of ending the process. Returns how to stop that. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Reports what is a diagnostic of the command. */
  readonly notice?: (diagnostic: Diagnostic) => void;
}

export interface Messages {
  readonly write: (text: string) => void;
  /** In characters. */
  readonly width: number;
  /** Whether it is a terminal, so that a line can be redrawn. */
  readonly canRedraw: boolean;
}

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

export type Env = Readonly<Record<string, string | undefined>>;
