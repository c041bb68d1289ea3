import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A project that `mcp-codegen new server` made, and what its `npm start` runs. */
export interface Scaffold {
  readonly folder: string;
  readonly execArgv: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
}

/** A new server over HTTP with SQLite, built in this repository, where its packages are installed. */
export function newServer(): Scaffold {
  const folder = join(root, '.cache/bench/new-server');
  rmSync(folder, { recursive: true, force: true });
  const options = ['--yes', '--transport', 'http', '--store', 'sqlite'];
  const quiet = { stdio: 'ignore' } as const;
  execFileSync(
    process.execPath,
    [join(root, 'dist/cli/bin.js'), 'new', 'server', folder, ...options],
    quiet,
  );
  execFileSync('npm', ['run', 'build'], { ...quiet, cwd: folder });
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const [node, ...rest] = scripts.start.split(' ');
  const index = rest.findIndex((each) => !each.startsWith('-'));
  const script = rest[index];
  if (node !== 'node' || script === undefined) {
    throw new Error(`The bench starts "node [options] <script>", not "${scripts.start}"`);
  }
  return { folder, execArgv: rest.slice(0, index), script, args: rest.slice(index + 1) };
}
