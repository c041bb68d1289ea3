import type { Readable, Writable } from 'node:stream';
import { COLOURED, PLAIN } from '../diagnostics/index.js';
import type { Paint } from '../diagnostics/index.js';

/** All that commands know of the process around them. */
export interface Io {
  /** For results. */
  readonly out: Stream;
  /** For messages and progress. */
  readonly err: Stream;
  /** What is piped in. */
  readonly input: () => Input;
  readonly cwd: string;
  /** Where to ask people, if there are any. */
  readonly terminal: Terminal | undefined;
  /** For the processes that a command starts. */
  readonly env: Environment;
}

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

export interface Stream {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** In characters. */
  readonly width: number;
  /** Whether what was written can be drawn over. */
  readonly canRedraw: boolean;
  /** Resolves once what was written is taken, so that a slow reader does not fill the memory. */
  readonly drained: () => Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The colours for one stream: what was asked for, else whether a terminal is at its end. */
export function paintFor(isTerminal: boolean, environment: Environment, noColor: boolean): Paint {
  return wantsColour(isTerminal, environment, noColor) ? COLOURED : PLAIN;
}

function wantsColour(isTerminal: boolean, environment: Environment, noColor: boolean): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = environment;
  if (noColor) return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (no) return false;
  return isTerminal && terminal !== 'dumb';
}
