import type { Readable, Writable } from 'node:stream';
import { COLOURED, PLAIN } from '../generator/diagnostics/index.js';
import type { Diagnostic, Paint } from '../generator/diagnostics/index.js';

/** The process as commands see it. */
export interface Io {
  /** For results. */
  readonly out: Stream;
  /** For messages and progress. */
  readonly err: Stream;
  /** The standard input. */
  readonly input: () => Input;
  /** The standard input and output as bytes, for a command that stands between two programs. */
  readonly pipes: () => Pipes;
  readonly cwd: string;
  /** The terminal for prompts, if there is one. */
  readonly terminal: Terminal | undefined;
  /** The environment of processes that a command starts. */
  readonly env: Environment;
  /** Calls the listener at each Ctrl-C, which otherwise ends this process at once. Returns how to stop that. */
  readonly onInterrupt: (then: () => void) => () => void;
  /** Reports what stands in the JSON document too, whatever the command does later. `main` sets it. */
  readonly notice?: (diagnostic: Diagnostic) => void;
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
  /** Whether the stream is a terminal, so that a line can be redrawn. */
  readonly canRedraw: boolean;
  /** Resolves when the stream has drained, so that a slow reader does not fill the memory. */
  readonly drained: () => Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The colours for one stream: by flags and environment, else by whether it is a terminal. */
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
