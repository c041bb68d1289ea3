import type { Io } from './io.js';
import type { Progress, TaskState } from '@mcp-codegen/runtime/client';
import { line } from './text.js';

/** How far a call is. On a terminal one line that changes, elsewhere a line for each news. */
export interface ProgressLine {
  status(state: TaskState): void;
  progress(progress: Progress): void;
  /** Takes the line away until the next news. */
  clear(): void;
}

const BAR = 24;
/** Milliseconds between lines that are not on a terminal. */
const PAUSE = 1_000;

export function createProgressLine({ messages }: Pick<Io, 'messages'>): ProgressLine {
  const live = messages.isTTY === true;
  let said = '';
  let last: Progress | undefined;
  let shownAt = 0;

  function show(urgent: boolean): void {
    const text = [last && barOf(last, live), line(last?.message ?? said)]
      .filter(Boolean)
      .join('  ');
    if (live) {
      const width = (messages.columns || 80) - 1;
      messages.write(`\r\u001b[K${[...text].slice(0, width).join('')}`);
    } else if (urgent || Date.now() - shownAt >= PAUSE) {
      shownAt = Date.now();
      messages.write(`${text}\n`);
    }
  }

  return {
    status({ status, statusMessage }) {
      const text = statusMessage ?? status.replace('_', ' ');
      if (text === said) return;
      said = text;
      show(true);
    },
    progress(progress) {
      last = progress;
      show(progress.progress === progress.total);
    },
    clear() {
      if (live) messages.write('\r\u001b[K');
    },
  };
}

function barOf({ progress, total }: Progress, live: boolean): string {
  if (total === undefined || !(total > 0)) return String(progress);
  const share = Math.min(1, Math.max(0, progress / total));
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
  if (!live) return percent.trim();
  const filled = Math.round(share * BAR);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${percent}`;
}
