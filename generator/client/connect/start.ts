import spawn from 'cross-spawn';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { ProcessLocation } from './location.js';
import { HAS_GROUPS } from './process-group.js';

/** Starts a server as the leader of a process group, where there are groups. */
export function startServer(
  { command, args, cwd, env }: ProcessLocation,
  stdio: StdioOptions,
): ChildProcess {
  return spawn(command, args, { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio });
}
