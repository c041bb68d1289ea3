import { PassThrough, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Io } from '../src/io.js';

export const KEYS = {
  enter: '\r',
  down: '\u001b[B',
  space: ' ',
  leave: '\u0003',
  end: '\u0004',
} as const;

/** A terminal with a person at it, or streams without one. */
export interface Terminal {
  readonly io: Io;
  /** What went to standard output. */
  readonly output: () => string;
  /** What went to standard error, as it was written. */
  readonly messages: () => string;
  /** Waits until a text is shown that was not shown before, then types. */
  readonly when: (text: string, ...keys: readonly string[]) => Promise<void>;
  readonly interrupt: () => void;
}

export function openTerminal({ person = true, env = {} } = {}): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: person, setRawMode: () => undefined });
  const output = new Recorder(false);
  const messages = new Recorder(person);
  const listeners = new Set<() => void>();
  let seen = 0;
  return {
    io: {
      input,
      output,
      messages,
      env: { PATH: process.env['PATH'], ...env },
      onInterrupt(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    output: () => output.text,
    messages: () => messages.text,
    async when(text, ...keys) {
      while (!messages.text.includes(text, seen)) await setTimeout(5);
      seen = messages.text.indexOf(text, seen) + text.length;
      for (const key of keys) {
        // One key is one event, as from a hand.
        await setTimeout(20);
        input.write(key);
      }
    },
    interrupt() {
      for (const listener of [...listeners]) listener();
    },
  };
}

class Recorder extends Writable {
  text = '';
  readonly columns = 100;
  readonly rows = 40;

  constructor(readonly isTTY: boolean) {
    super();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
