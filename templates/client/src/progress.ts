import type { Io } from './io.js';
import type { Progress, TaskState } from '@mcp-codegen/runtime/client';
import { line } from './text.js';

/** How far a call is. On a terminal one line that changes, elsewhere a line for each news. */
export interface ProgressLine {
  status(state: ShownState): void;
  /** The same for a status that the server announced: an older one, or another task's, is ignored. */
  announced(state: ShownState): void;
  progress(progress: Progress): void;
  /** Takes the line away until the next news. */
  clear(): void;
}

type ShownState = Pick<TaskState, 'taskId' | 'status' | 'statusMessage' | 'lastUpdatedAt'>;

const BAR = 24;
/** Milliseconds between lines that are not on a terminal. */
const PAUSE = 1_000;

export function createProgressLine({ messages }: Pick<Io, 'messages'>): ProgressLine {
  const live = messages.isTTY === true;
  let said = '';
  let task: ShownState | undefined;
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

  function status(state: ShownState): void {
    task = state;
    const text = state.statusMessage ?? state.status.replace('_', ' ');
    if (text === said) return;
    said = text;
    show(true);
  }

  return {
    status,
    announced(state) {
      const isNewer =
        task !== undefined && Date.parse(state.lastUpdatedAt) >= Date.parse(task.lastUpdatedAt);
      if (isNewer && state.taskId === task?.taskId) status(state);
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
