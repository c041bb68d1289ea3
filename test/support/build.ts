import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds `dist/` once before the tests that start the real command line. */
export function setup(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  for (const step of [
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
    ['node_modules/tsx/dist/cli.mjs', 'scripts/bundle-cli.ts'],
  ]) {
    execFileSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
  }
}
