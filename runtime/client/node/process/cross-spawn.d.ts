/** The package has no types of its own. It starts scripts such as `npx` on Windows too. */
declare module 'cross-spawn' {
  import type { spawn } from 'node:child_process';
  const crossSpawn: typeof spawn;
  export = crossSpawn;
}
