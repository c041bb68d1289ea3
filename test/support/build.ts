import { fileURLToPath } from 'node:url';
import { npm } from '../../scripts/npm.js';

/** Builds both packages, unless they are up to date, before the tests that start the real command line. */
export function setup(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  npm(['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
}
