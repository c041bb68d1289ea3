import type { Recorded } from './record.js';
import { type Row, Terminal } from './terminal.js';

/** What a row shows for some time. */
export interface Shown {
  readonly row: number;
  readonly cells: Row;
  /** Seconds. */
  readonly from: number;
  /** Absent when it is shown until the end. */
  readonly until?: number;
  /** A command that the user types. */
  readonly isCommand: boolean;
}

export interface Timeline {
  readonly shown: readonly Shown[];
  /** When the screen scrolls, and the row that is then the first. */
  readonly scrolls: readonly { readonly at: number; readonly top: number }[];
  /** Seconds, with the pause at the end. */
  readonly length: number;
}

/** Waits are shortened: the output of a command takes at most this long by default, in seconds. */
const LONGEST = 2;
/** What is printed within this time is shown at once. */
const STEP = 0.2;
export const TYPING = 0.02;
const BEFORE_OUTPUT = 0.3;
const AFTER_COMMAND = 0.6;
const AT_THE_END = 4;

const PROMPT = '$ ';

/** Everything that the terminal shows, and when. */
export function timelineOf(
  recorded: readonly Recorded[],
  columns: number,
  height: number,
  longest = LONGEST,
): Timeline {
  const terminal = new Terminal(columns, height);
  const history = new Map<number, Omit<Shown, 'until'>[]>();
  const scrolls = [{ at: 0, top: 0 }];
  let now = 0.5;

  function write(text: string, isCommand = false): void {
    for (const row of terminal.write(text)) {
      const before = history.get(row) ?? [];
      const cells = [...(terminal.rows[row] ?? [])];
      const last = before.at(-1);
      if (last?.from === now) before.pop();
      history.set(row, [...before, { row, cells, from: now, isCommand }]);
    }
    const top = Math.max(0, terminal.rows.length - height);
    if (top > (scrolls.at(-1)?.top ?? 0)) scrolls.push({ at: now, top });
  }

  for (const { command, chunks, seconds } of recorded) {
    write(`\u001b[0m${PROMPT}${command}\r\n`, true);
    now += command.length * TYPING + BEFORE_OUTPUT;
    const scale = Math.min(1, longest / seconds);
    const start = now;
    for (const { at, text } of chunks) {
      const time = start + Math.floor((at * scale) / STEP) * STEP;
      now = Math.max(now, time);
      write(text);
    }
    now = start + seconds * scale + AFTER_COMMAND;
  }
  const shown = [...history.values()].flatMap((versions) =>
    versions.map((each, index): Shown => {
      const until = versions[index + 1]?.from;
      return { ...each, ...(until !== undefined && { until }) };
    }),
  );
  return { shown, scrolls, length: now + AT_THE_END };
}
