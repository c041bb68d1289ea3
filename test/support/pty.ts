import { spawn, spawnSync } from 'node:child_process';

/** Whether `script`, which gives a program a pseudo-terminal, is installed. */
export const hasPty = spawnSync('script', ['--version']).status === 0;

/** A program on a pseudo-terminal, and the keys typed at it. */
export interface Pty {
  /** Everything printed so far, control characters included. */
  readonly shown: () => string;
  /** Waits until the text is printed (after the text of the previous call), then types the keys. */
  readonly typed: (text: string, keys: string) => Promise<void>;
  readonly code: Promise<number | null>;
}

const PATIENCE_MS = 60_000;

/** Runs a program on a pseudo-terminal, 100 columns wide if nothing else is said. */
export function openPty(words: readonly string[], cwd?: string, columns = 100): Pty {
  const command = words.map((word) => `'${word}'`).join(' ');
  const child = spawn(
    'script',
    ['-qfec', `stty cols ${columns} rows 40; ${command}`, '/dev/null'],
    {
      env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm' },
      ...(cwd !== undefined && { cwd }),
    },
  );
  let text = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));

  async function typed(awaited: string, keys: string): Promise<void> {
    for (const start = Date.now(); !text.includes(awaited, seen);) {
      if (Date.now() - start > PATIENCE_MS) throw new Error(`${awaited} is not in:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    seen = text.indexOf(awaited, seen) + awaited.length;
    child.stdin.write(keys);
  }

  return { shown: () => text, typed, code };
}
