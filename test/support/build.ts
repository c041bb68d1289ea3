import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the build reads, also of packages that are installed. */
const INPUTS = [
  'generated',
  'generator',
  'node_modules/.package-lock.json',
  'package.json',
  'runtime',
  'schema',
  'scripts',
  'templates',
  'tsconfig.build.json',
  'tsconfig.json',
  'tsconfig.paths.json',
  'CHANGELOG.md',
  'README.md',
];
/** What it writes last. */
const OUTPUT = 'dist/vendor';

/** Builds both packages, unless they are up to date, before the tests that start the real command line. */
export function setup(): void {
  if (isUpToDate()) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
}

function isUpToDate(): boolean {
  const folder = join(root, OUTPUT);
  const packed = existsSync(folder) ? readdirSync(folder) : [];
  if (packed.length === 0) return false;
  const built = Math.min(...packed.map((name) => statSync(join(folder, name)).mtimeMs));
  return INPUTS.every((path) => newest(join(root, path)) < built);
}

/** The time of the newest change in a file or a folder. That of a folder itself is that of a deletion. */
function newest(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  const inside = readdirSync(path)
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .map((name) => newest(join(path, name)));
  return Math.max(status.mtimeMs, ...inside);
}
