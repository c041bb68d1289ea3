/**
 * `npm run recording` runs the quick start of the README and its calls of a public server in an empty folder, on a
 * terminal, and writes `docs/quick-start.svg` and `docs/call.svg`. It needs a build, npm and the program `script`.
 * `npm run recording call.svg` writes that one alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callsIn, TYPED } from './calls.js';
import { quickStart } from './quick-start.js';
import { record, type Recorded, type Typed } from './record.js';
import { svgOf } from './svg.js';
import { timelineOf } from './timeline.js';

const ROWS = 20;
/** Shown instead of the folder of this run. */
const FOLDER = '~/app';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'recording-'));

/** Settings of npm on this machine are not part of the recording. */
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  TERM: 'xterm-256color',
  npm_config_userconfig: '/dev/null',
  npm_config_registry: npm('config', 'get', 'registry').trim(),
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
};

function npm(...args: string[]): string {
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function withoutFolder({ chunks, ...rest }: Recorded): Recorded {
  const shown = chunks.map(({ at, text }) => ({ at, text: text.replaceAll(folder, FOLDER) }));
  return { ...rest, chunks: shown };
}

interface Recording {
  readonly file: string;
  readonly commands: readonly string[];
  readonly typed?: readonly Typed[];
  readonly columns: number;
  /** What the image shows, for readers who do not see it. */
  readonly name: string;
  /** Seconds for each command. */
  readonly longest?: number;
}

async function write({ file, commands, typed, columns, name, longest }: Recording): Promise<void> {
  const recorded = await record(commands, {
    folder,
    columns,
    rows: ROWS,
    env,
    ...(typed && { typed }),
  });
  const timeline = timelineOf(recorded.map(withoutFolder), columns, ROWS, longest);
  const took = Math.round(recorded.reduce((sum, { seconds }) => sum + seconds, 0));
  const title = `${name} It took ${took} s; waits are shortened.`;
  const svg = svgOf(timeline, { columns, rows: ROWS, title });
  writeFileSync(join(root, 'docs', file), svg);
  console.error(`docs/${file}: ${svg.length} bytes, ${timeline.length.toFixed(0)} s`);
}

try {
  const vendor = join(root, 'dist/vendor');
  const tool = readdirSync(vendor).find((name) => /^mcp-codegen-\d/.test(name)) ?? '';
  execFileSync('npm', ['init', '--yes', '--silent'], { cwd: folder, stdio: 'ignore' });
  execFileSync('npm', ['install', '--silent', join(vendor, tool)], { cwd: folder });
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const recordings: Recording[] = [
    {
      file: 'quick-start.svg',
      commands: quickStart(readme).flatMap((scene) => scene.commands),
      columns: 88,
      name: 'The quick start.',
    },
    {
      file: 'call.svg',
      commands: callsIn(readme),
      typed: TYPED,
      columns: 100,
      name: 'Calls of a public server, which asks its user.',
      longest: 10,
    },
  ];
  const [, , only] = process.argv;
  for (const recording of recordings) {
    if (only === undefined || only === recording.file) await write(recording);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
