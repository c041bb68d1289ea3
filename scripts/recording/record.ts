import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Output of a command. */
export interface Chunk {
  /** Seconds after the start of the command. */
  readonly at: number;
  readonly text: string;
}

export interface Recorded {
  readonly command: string;
  readonly chunks: readonly Chunk[];
  /** How long the command ran. */
  readonly seconds: number;
}

/** Keys that a user types when a text has been printed. */
export interface Typed {
  readonly after: string;
  readonly keys: string;
}

export interface RecordOptions {
  readonly folder: string;
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
  /** In their order. Default: none. */
  readonly typed?: readonly Typed[];
}

/** Between the commands of the shell; a title of the window, which shows nothing. */
const MARK = '\u001b]2;recording\u0007';

/**
 * Runs commands one after another in one shell, on a pseudo-terminal.
 *
 * @throws when a command fails.
 */
export async function record(
  commands: readonly string[],
  { folder, columns, rows, env, typed = [] }: RecordOptions,
): Promise<Recorded[]> {
  const script = join(folder, '.recording.sh');
  const lines = commands.map((command) => `printf '\\033]2;recording\\007'\n${command} || exit 1`);
  writeFileSync(script, `stty cols ${columns} rows ${rows} -echo\n${lines.join('\n')}\n`);
  const child = spawn('script', ['-qfec', `bash ${script}`, '/dev/null'], {
    cwd: folder,
    env: { ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const recorded: { command: string; chunks: Chunk[]; started: number; seconds: number }[] = [];
  const end = (): void => {
    const last = recorded.at(-1);
    if (last) last.seconds = seconds() - last.started;
  };
  const type = typist(typed, (keys) => child.stdin.write(keys));
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    type(data);
    const parts = (rest + data).split(MARK);
    // A part of the mark may come with the next data.
    const last = parts.pop() ?? '';
    const cut = last.lastIndexOf('\u001b');
    rest = cut >= 0 && MARK.startsWith(last.slice(cut)) ? last.slice(cut) : '';
    parts.push(rest === '' ? last : last.slice(0, cut));
    for (const [index, text] of parts.entries()) {
      if (index > 0) {
        end();
        const command = commands[recorded.length] ?? '';
        console.error(`$ ${command}`);
        recorded.push({ command, chunks: [], started: seconds(), seconds: 0 });
      }
      const current = recorded.at(-1);
      if (current && text !== '') current.chunks.push({ at: seconds() - current.started, text });
    }
  });
  const [code] = (await once(child, 'close')) as [number | null];
  end();
  if (code !== 0) {
    const said = recorded.at(-1)?.chunks.map(({ text }) => text);
    throw new Error(`${recorded.at(-1)?.command ?? 'The shell'} failed:\n${said?.join('') ?? ''}`);
  }
  return recorded;
}

/** Milliseconds in which a user reads a question. */
const READING = 600;

/** Types the keys when their texts were printed, one after the other. */
function typist(typed: readonly Typed[], write: (keys: string) => void): (printed: string) => void {
  const left = [...typed];
  let printed = '';
  return (data) => {
    const [next] = left;
    printed += data;
    const at = next === undefined ? -1 : printed.indexOf(next.after);
    if (next === undefined || at < 0) return;
    left.shift();
    printed = printed.slice(at + next.after.length);
    setTimeout(() => write(next.keys), READING);
  };
}

const seconds = (): number => performance.now() / 1_000;
