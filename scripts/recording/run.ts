/**
 * `npm run recording` runs the quick start of the README in an empty folder, on a terminal, and writes
 * `docs/quick-start.svg`. It needs a build, npm and the program `script`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quickStart } from './quick-start.js';
import { record, type Recorded } from './record.js';
import { svgOf } from './svg.js';
import { timelineOf } from './timeline.js';

const COLUMNS = 88;
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

try {
  const vendor = join(root, 'dist/vendor');
  const tool = readdirSync(vendor).find((name) => /^mcp-codegen-\d/.test(name)) ?? '';
  execFileSync('npm', ['init', '--yes', '--silent'], { cwd: folder, stdio: 'ignore' });
  execFileSync('npm', ['install', '--silent', join(vendor, tool)], { cwd: folder });
  const scenes = quickStart(readFileSync(join(root, 'README.md'), 'utf8'));
  const commands = scenes.flatMap((scene) => scene.commands);
  const recorded = await record(commands, { folder, columns: COLUMNS, rows: ROWS, env });
  const timeline = timelineOf(recorded.map(withoutFolder), COLUMNS, ROWS);
  const took = Math.round(recorded.reduce((sum, { seconds }) => sum + seconds, 0));
  const title = `The quick start. It took ${took} s; waits are shortened.`;
  const svg = svgOf(timeline, { columns: COLUMNS, rows: ROWS, title });
  writeFileSync(join(root, 'docs/quick-start.svg'), svg);
  console.error(`docs/quick-start.svg: ${svg.length} bytes, ${timeline.length.toFixed(0)} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
