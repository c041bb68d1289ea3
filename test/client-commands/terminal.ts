import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Io, Stream } from '../../cli/io.js';
import { main } from '../../cli/main.js';
import { PLAIN } from '../../generator/diagnostics/index.js';

export const KEYS = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  space: ' ',
  leave: '\u0003',
  end: '\u0004',
} as const;

export interface TerminalOptions {
  /** Whether a user is at it. */
  readonly person?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The user's own folder: configuration, state, and the files of other programs. */
  readonly home?: string;
}

/** A terminal with a user at it, or streams without one. */
export interface Terminal {
  readonly io: Io;
  readonly input: PassThrough;
  readonly home: string;
  /** What was written to standard output. */
  readonly output: () => string;
  /** What was written to standard error. */
  readonly messages: () => string;
  /** Waits for a text that was not shown before, then types. */
  readonly when: (text: string, ...keys: readonly string[]) => Promise<void>;
  readonly interrupt: () => void;
  /** Runs a command line of `mcp-codegen`. */
  readonly run: (...words: readonly string[]) => Promise<number>;
}

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a process whose user's folder is this one. */
export function homeEnv(home: string): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
}

export const tasksFolder = (home: string): string => join(home, 'mcp-codegen', 'tasks');

/** The files of the tasks that are kept. */
export function kept(home: string): string[] {
  try {
    return readdirSync(tasksFolder(home)).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

export function openTerminal({
  person = true,
  env = {},
  home = temporary(),
  cwd = home,
}: TerminalOptions = {}): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: person, setRawMode: () => undefined });
  const texts = { output: '', messages: '' };
  const listeners = new Set<() => void>();
  let seen = 0;
  const out = streamInto(false, (text) => (texts.output += text));
  const err = streamInto(person, (text) => (texts.messages += text));
  const screen = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        texts.messages += chunk.toString();
        done();
      },
    }),
    { isTTY: person, columns: 100, rows: 40 },
  );
  const io = {
    out,
    err,
    terminal: person ? { input, output: screen } : undefined,
    input: () => ({ isTerminal: person, chunks: input }),
    pipes: () => ({ input, output: screen }),
    cwd,
    env: { ...homeEnv(home), ...env },
    onInterrupt(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    io,
    input,
    home,
    output: () => texts.output,
    messages: () => texts.messages,
    async when(text, ...keys) {
      while (!texts.messages.includes(text, seen)) await setTimeout(5);
      seen = texts.messages.indexOf(text, seen) + text.length;
      for (const key of keys) {
        // One key is one event, as from a hand.
        await setTimeout(20);
        input.write(key);
      }
    },
    interrupt() {
      for (const listener of [...listeners]) listener();
    },
    run: async (...words) => await main(words, io),
  };
}

function streamInto(canRedraw: boolean, write: (text: string) => void): Stream {
  return { write, paint: PLAIN, width: 100, canRedraw, drained: () => Promise.resolve() };
}
