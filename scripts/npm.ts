import { execFileSync } from 'node:child_process';
import type { ExecFileSyncOptions } from 'node:child_process';

/**
 * The program that runs npm, with its arguments. Windows starts `npm.cmd` in a shell only, which would read the arguments
 * again: there Node.js runs the npm that runs the current script.
 */
export function npmCommand(args: readonly string[]): [command: string, args: readonly string[]] {
  const own = process.platform === 'win32' ? process.env['npm_execpath'] : undefined;
  return own === undefined ? ['npm', args] : [process.execPath, [own, ...args]];
}

/**
 * Runs npm, and returns what it prints.
 *
 * @throws when npm fails, or when Windows runs this outside of an npm script.
 */
export function npm(args: readonly string[], options: ExecFileSyncOptions): string {
  // With `stdio: 'inherit'` there is no output to return.
  const printed = execFileSync(...npmCommand(args), options) as Buffer | null;
  return printed?.toString() ?? '';
}
