import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../runtime/testing/free-port.js';
import { planProject } from '../../generator/plan/project.js';
import { choose, CLIENT, SERVER, TOOL } from '../../generator/scaffold/index.js';
import { diskFolder } from '../../generator/write/index.js';
import { BIN } from '../cli/process.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startNode } from './cluster.js';
import { COMBINATIONS, MINIMAL } from './combinations.js';
import { follow, type Followed } from './follow.js';
import { readPage } from './page.js';

/** New projects in a folder with nothing above it. Every line of their pages is followed. */

let folder: string;
let postgres: PostgresServer;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-alone-')));
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Lines that need what a machine may not have, and the test that follows them. */
const ELSEWHERE: readonly (readonly [line: RegExp, test: string])[] = [
  [/^docker /, 'docker.integration.test.ts'],
  [/^npm run inspect$/, 'inspector.long.test.ts'],
];

/** A reader's environment: without the programs and settings of this repository. */
const ENVIRONMENT = {
  ...Object.fromEntries(
    Object.entries(process.env as Record<string, string>).filter(
      ([name]) =>
        !/^(?:npm_(?!config_)|INIT_CWD$|NODE_|VITEST|TEST|DEV$|PROD$|MODE$|SSR$)/.test(name),
    ),
  ),
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))
    .join(delimiter),
  NO_COLOR: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_prefer_offline: 'true',
};

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Project {
  readonly root: string;
  readonly manifest: Manifest;
  readonly nextSteps: readonly string[];
}

/** The first is made by the build of this repository, and each other one by the tool that is installed in the first. */
function make(kind: string, name: string, flags: readonly string[]): Project {
  const installed = join(folder, FIRST, 'node_modules');
  const words = ['new', kind, name, '--yes', '--json', '--pm', 'npm', ...flags];
  const bin = name === FIRST ? BIN : join(installed, 'mcp-codegen/dist/cli/bin.js');
  const options = { cwd: folder, env: ENVIRONMENT, encoding: 'utf8' } as const;
  const made = spawnSync(process.execPath, [bin, ...words], options);
  expect(made.status, made.stdout + made.stderr).toBe(0);
  const root = join(folder, name);
  // Most packages are the same: npm then adds and removes the others.
  if (name !== FIRST) execFileSync('cp', ['-al', installed, root]);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const { nextSteps } = JSON.parse(made.stdout) as { nextSteps: string[] };
  return { root, manifest, nextSteps: nextSteps.slice(1) };
}

/** Where what the client's page calls `../my-server` is. */
const FIRST = 'my-server';

describe.each([
  ['server', FIRST, []],
  ['server', 'open', ['--transport', 'http', '--store', 'memory']],
  ['server', 'shared', ['--transport', 'http', '--store', 'postgres', '--auth', 'jwt']],
  ['server', 'one-file', ['--minimal']],
  ['server', 'one-shared-file', ['--minimal', '--transport', 'http', '--store', 'postgres']],
  ['client', 'my-client', []],
  ['client', 'one-file-client', ['--minimal']],
])('new %s %s', (kind, name, flags) => {
  let project: Project;
  let port: string;
  let environment: Record<string, string>;
  const served = new Set<string>();
  beforeAll(async () => {
    project = make(kind, name, flags);
    port = String(await freePort());
    const { url } = await postgres.newDatabase();
    environment = { ...ENVIRONMENT, PORT: port, DATABASE_URL: url };
  });

  const pages = (): ReturnType<typeof readPage>[] =>
    ['README.md', 'AGENTS.md']
      .map((page) => join(project.root, page))
      .filter((path) => existsSync(path))
      .map((path) => readPage(here(readFileSync(path, 'utf8'))));
  /** A text with what only this reader can say. */
  const here = (text: string): string =>
    text
      .replaceAll('/path/to/', `${project.root}/`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll(/postgres:\/\/\S+/g, environment['DATABASE_URL'] ?? '');

  async function run(line: string): Promise<Followed> {
    const followed = await follow(line, project.root, environment);
    expect(followed.isGood, `${line}\n${followed.output}`).toBe(true);
    followed.served.forEach((address) => served.add(address));
    return followed;
  }

  it('runs each command that it prints and that its pages name', async () => {
    if (kind === 'client') {
      const server = await startNode(join(folder, 'open'), { PORT: port });
      onTestFinished(() => server.kill());
    }
    const printed = project.nextSteps.map((line) => ({ line: here(line), also: [] }));
    const done = new Set<string>();
    for (const { line, also } of [...printed, ...pages().flatMap(({ commands }) => commands)]) {
      if (ELSEWHERE.some(([pattern]) => pattern.test(line))) continue;
      const filled = line.replace('<name>', 'of-a-reader');
      if (!done.has(line)) await run(filled);
      done.add(line);
      if (also.length === 0) continue;
      const [command = filled, ...rest] = filled.split(' -- ');
      const { output } = await run(`${command}${rest.length > 0 ? ' --' : ''} --help`);
      for (const word of also) expect(output, line).toContain(word);
    }
  });

  it('has the files that its pages name, and what clients need', async () => {
    const { root } = project;
    for (const { paths, settings } of pages()) {
      const folders = ['.', 'node_modules', ...paths];
      const missing = paths.filter(
        (path) =>
          !folders.some((each) => existsSync(join(root, each, path))) && !isIgnored(path, root),
      );
      expect(missing).toEqual([]);
      for (const text of settings) {
        const { mcpServers } = JSON.parse(text) as {
          mcpServers: Record<string, { command?: string; args?: string[]; url?: string }>;
        };
        for (const { command, args = [], url } of Object.values(mcpServers)) {
          if (url === undefined) await run([command, ...args].join(' '));
          else expect([...served]).toContain(url);
        }
      }
    }
  });

  it('has scripts of which each program is installed', () => {
    const { scripts, dependencies, devDependencies } = project.manifest;
    const installed = Object.keys({ ...dependencies, ...devDependencies }).flatMap((each) => {
      const text = readFileSync(join(project.root, 'node_modules', each, 'package.json'), 'utf8');
      const { bin = {} } = JSON.parse(text) as { bin?: string | Record<string, string> };
      return typeof bin === 'string' ? [each] : Object.keys(bin);
    });
    const programs = Object.values(scripts).flatMap((script) =>
      script.split(' && ').map((command) => command.split(' ')[0]),
    );
    expect(['node', 'npx', ...installed]).toEqual(expect.arrayContaining(programs));
  });
});

/** Whether a program makes it, and git does not keep it. */
function isIgnored(path: string, root: string): boolean {
  const words = ['check-ignore', '--no-index', '--quiet', path];
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  return spawnSync('git', words, { cwd: root }).status === 0;
}

/** Each choice, also of package managers, without installing anything. */
it.each([
  ...[...COMBINATIONS, ...MINIMAL].map((each) => ({ ...each, template: SERVER })),
  ...[{}, { minimal: 'minimal' }].map((flags, index) => ({
    ...{ name: `client-${index}`, template: CLIENT, choices: choose(CLIENT, flags) },
  })),
])('$name names no script that it lacks, and the tool only if it has it', async (project) => {
  const { template, name, choices } = project;
  const request = {
    template,
    name,
    choices,
    folder: diskFolder(join(folder, 'none')),
    force: false,
  };
  const files = (await planProject(request)).filter(({ path }) => !path.startsWith('vendor/'));
  const texts = files.map((file) => ('text' in file ? String(file.text) : ''));
  const manifest = JSON.parse(
    texts[files.findIndex(({ path }) => path === 'package.json')] ?? '',
  ) as Manifest;
  const named = texts.flatMap((text) => [
    ...text.matchAll(/\b(?:npm|pnpm|yarn|bun) run ([\w:]+)/g),
  ]);
  expect(Object.keys(manifest.scripts)).toEqual(
    expect.arrayContaining(named.map(([, script]) => script)),
  );
  const needsTool = texts.some((text) =>
    /node_modules\/mcp-codegen\/|(?:npx |"|\n)mcp-codegen \w/.test(text),
  );
  if (needsTool) expect(manifest.devDependencies).toHaveProperty(TOOL);
});

it.each(ELSEWHERE)('%s is in %s', (_, test) => {
  expect(existsSync(fileURLToPath(new URL(test, import.meta.url)))).toBe(true);
});
