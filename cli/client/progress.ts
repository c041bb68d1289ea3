import { progressOf } from '../../runtime/client/index.js';
import type { Progress, TaskState } from '../../runtime/client/index.js';
import { isTerminal } from '../../runtime/rules/tasks.js';
import type { ClientIo } from './io.js';
import { line } from './text.js';

/** The progress of a call. On a terminal it is one line that changes, elsewhere a line for each change. */
export interface ProgressLine {
  status(state: ShownState): void;
  /** The same for a status that the server announced: an older one, or another task's, is ignored. */
  announced(state: ShownState): void;
  progress(progress: Progress): void;
  /** Removes the line until the next change. */
  clear(): void;
}

type ShownState = Pick<TaskState, 'taskId' | 'status' | 'statusMessage' | 'lastUpdatedAt'>;

const BAR = 24;
/** Milliseconds between two writes. Changes in between are merged. */
const PAUSE = { terminal: 50, elsewhere: 1_000 } as const;

export function createProgressLine({ err }: Pick<ClientIo, 'err'>): ProgressLine {
  const live = err.canRedraw;
  const pause = live ? PAUSE.terminal : PAUSE.elsewhere;
  let said = '';
  let task: ShownState | undefined;
  let last: Progress | undefined;
  let shown = '';
  let shownAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function show(urgent: boolean): void {
    const wait = shownAt + pause - performance.now();
    if (urgent || wait <= 0) return write();
    timer ??= setTimeout(write, wait).unref();
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    shownAt = performance.now();
    const text = [last && barOf(last, live), line(said)].filter(Boolean).join(live ? '  ' : ' ');
    if (live) {
      err.write(`\r\u001b[K${[...text].slice(0, err.width - 1).join('')}`);
    } else if (text !== shown) err.write(`${text}\n`);
    shown = text;
  }

  function status(state: ShownState): void {
    const changed = state.status !== task?.status;
    task = state;
    // The last progress is not that of a task that ended.
    if (isTerminal(state.status)) last = undefined;
    const told = progressOf(state);
    // A message and its number belong together: the number of another message would be wrong beside this one.
    if (told || isOtherMessage(state.statusMessage, last)) last = told;
    // `progress` gets it, too.
    if (told && !changed) return;
    const words = state.status.replace('_', ' ');
    const text = told ? (told.message ?? words) : (state.statusMessage ?? words);
    if (text === said) return;
    said = text;
    show(changed);
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
      said = progress.message ?? said;
      show(progress.progress === progress.total);
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      if (!live || shown === '') return;
      err.write('\r\u001b[K');
      shown = '';
    },
  };
}

function isOtherMessage(message: string | undefined, last: Progress | undefined): boolean {
  return message !== undefined && last?.message !== undefined && message !== last.message;
}

/** The message of a state, with its progress as users read it. */
export function messageOf(state: Pick<TaskState, 'statusMessage'>): string | undefined {
  const told = progressOf(state);
  if (told === undefined) return state.statusMessage;
  return [barOf(told, false), told.message].filter(Boolean).join(' ');
}

/** `[############------------]  50 %`, or only the percentage, or the number when there is no total. */
function barOf({ progress, total }: Progress, live: boolean): string {
  if (total === undefined || !(total > 0)) return String(Number(progress.toFixed(2)));
  const share = Math.min(1, Math.max(0, progress / total));
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
  if (!live) return percent.trim();
  const filled = Math.round(share * BAR);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${percent}`;
}
