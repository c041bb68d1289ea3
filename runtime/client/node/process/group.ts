import { spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a child has to be started as the leader of a process group. Windows has trees of processes instead. */
export const HAS_GROUPS = platform() !== 'win32';

/** The signals that end this process without the event `exit`. */
const FATAL = ['SIGHUP', 'SIGTERM'] as const;

/** Milliseconds between the end of a server's input and SIGTERM. */
const INPUT_GRACE = 1_000;
/** Milliseconds between SIGTERM and SIGKILL. */
const TERM_GRACE = 500;
/** Milliseconds between a signal that is passed on and SIGKILL: hosts end this process after two seconds. */
const SIGNAL_GRACE = 1_500;
const POLL_INTERVAL = 10;

/**
 * Ends the group when this process ends, because the group gets no signal of the terminal, such as Ctrl-C. Returns what
 * undoes that.
 */
export function endOnExit(child: ChildProcess): () => void {
  const kill = (): void => void signalGroup(child, 'SIGKILL');
  const killBoth = (signal: NodeJS.Signals): void => {
    kill();
    process.kill(process.pid, signal);
  };
  process.once('exit', kill);
  for (const signal of FATAL) process.once(signal, killBoth);
  return () => {
    process.off('exit', kill);
    for (const signal of FATAL) process.off(signal, killBoth);
  };
}

/**
 * Ends a child and the processes that it started: by the end of its input, then SIGTERM, then SIGKILL. It takes no
 * longer than 1.5 seconds.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (await isGone(child, INPUT_GRACE)) return;
  signalGroup(child, 'SIGTERM');
  if (await isGone(child, TERM_GRACE)) return;
  signalGroup(child, 'SIGKILL');
}

async function isGone(child: ChildProcess, within: number): Promise<boolean> {
  for (let waited = 0; waited < within; waited += POLL_INTERVAL) {
    if (!signalGroup(child, 0)) return true;
    await sleep(POLL_INTERVAL);
  }
  return false;
}

/**
 * Passes the signals that end this process to the group, which then has some time to end by itself. Returns how to pass
 * another one, and what undoes that.
 */
export function passSignals(child: ChildProcess): {
  readonly pass: (signal: NodeJS.Signals) => void;
  readonly stop: () => void;
} {
  const kill = (): void => void signalGroup(child, 'SIGKILL');
  let late: NodeJS.Timeout | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    if (signalGroup(child, signal)) late ??= setTimeout(kill, SIGNAL_GRACE);
    // A process outside the group may keep the stream open.
    else child.stdout?.destroy();
  };
  process.once('exit', kill);
  for (const signal of FATAL) process.on(signal, pass);
  return {
    pass,
    stop() {
      clearTimeout(late);
      process.off('exit', kill);
      for (const signal of FATAL) process.off(signal, pass);
    },
  };
}

/** Whether there was a process to get the signal. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (!HAS_GROUPS && signal !== 0) {
    return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']).status === 0;
  }
  try {
    return process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    return false;
  }
}
