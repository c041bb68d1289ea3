import { execFileSync } from 'node:child_process';
import type { ExecFileSyncOptions } from 'node:child_process';

/**
 * Runs npm, and returns what it prints. Windows starts `npm.cmd` in a shell only, which would read the arguments again: there
 * Node.js runs the npm that runs the current script.
 *
 * @throws when npm fails, or when Windows runs this outside of an npm script.
 */
export function npm(args: readonly string[], options: ExecFileSyncOptions): string {
  const own = process.platform === 'win32' ? process.env['npm_execpath'] : undefined;
  const [command, ...first] = own === undefined ? ['npm'] : [process.execPath, own];
  // With `stdio: 'inherit'` there is no output to return.
  const printed = execFileSync(command ?? 'npm', [...first, ...args], options) as Buffer | null;
  return printed?.toString() ?? '';
}
