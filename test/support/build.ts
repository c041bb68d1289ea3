import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds both packages, unless they are up to date, before the tests that start the real command line. */
export function setup(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
}
