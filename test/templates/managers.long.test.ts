import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { copyAsDocker, imageStepsOf } from './image.js';

/** New servers with each package manager, from `install` to a call. npm has `packed.long.test.ts`. */

/** The programs, by the name of their package and its file; two of them are called `yarn`. */
const MANAGERS = {
  'pnpm 12': { pm: 'pnpm', package: 'pnpm@12.21.0', file: '.bin/pnpm', lock: 'pnpm-lock.yaml' },
  'yarn 1': { pm: 'yarn', package: 'yarn@1.22.22', file: 'yarn/bin/yarn.js', lock: 'yarn.lock' },
  'yarn 4': {
    pm: 'yarn',
    package: '@yarnpkg/cli-dist@4.18.1',
    file: '@yarnpkg/cli-dist/bin/yarn.js',
    lock: 'yarn.lock',
  },
  bun: { pm: 'bun', package: 'bun@1.4.5', file: '.bin/bun', lock: 'bun.lock' },
} as const;
type Manager = keyof typeof MANAGERS;

const cli = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-managers-'));
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const packages = Object.values(MANAGERS).map((each) => each.package);
  const flags = ['--no-audit', '--no-fund', '--no-save', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, '--prefix', programs, ...packages], { stdio: 'pipe' });
  for (const [name, { pm, file }] of Object.entries(MANAGERS)) {
    const bin = join(folder, 'bin', name);
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(programs, 'node_modules', file), join(bin, pm));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line in a shell that finds this package manager, as on a user's machine. */
function sh(manager: Manager, line: string, cwd: string): void {
  // In continuous integration Yarn 4 refuses to write a first lock file.
  const { CI: __, ...rest } = process.env;
  const PATH = `${join(folder, 'bin', manager)}:${process.env['PATH'] ?? ''}`;
  const env = { ...rest, PATH, YARN_ENABLE_TELEMETRY: '0' };
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', line], { cwd, env, encoding: 'utf8' });
  expect(status, `${line}\n${stdout}${stderr}`).toBe(0);
}

/** Makes a server; its folder, and the steps that are printed. */
function make(manager: Manager, ...flags: string[]): { root: string; steps: string[] } {
  const name = [manager.replace(' ', '-'), ...flags].join('');
  const words = ['new', 'server', name, '--yes', '--json', '--pm', MANAGERS[manager].pm, ...flags];
  const made = spawnSync(process.execPath, [cli, ...words], { cwd: folder, encoding: 'utf8' });
  expect(made.status, made.stdout + made.stderr).toBe(0);
  const { nextSteps } = JSON.parse(made.stdout) as { nextSteps: string[] };
  return { root: join(folder, name), steps: nextSteps.slice(1, -1) };
}

async function toolsOf(root: string): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  onTestFinished(() => client.close());
  const command = { command: process.execPath, args: ['dist/main.js'], cwd: root };
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name);
}

it.each(Object.keys(MANAGERS) as Manager[])(
  '%s installs, builds and starts a new server',
  async (manager) => {
    const { root, steps } = make(manager, '--minimal');
    expect(steps.map((step) => step.split(' ').at(-1))).toEqual(['install', 'build']);
    for (const step of steps) sh(manager, step, root);
    expect(existsSync(join(root, MANAGERS[manager].lock))).toBe(true);
    expect(await toolsOf(root)).toEqual(['count-words']);
  },
);

/**
 * Yarn 4 takes the version of Vite in our lock file. It fails when an optional package of a later one is not in the
 * registry, where the others go on.
 */
function holdVite(root: string): void {
  const lock = new URL('../../package-lock.json', import.meta.url);
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as Lock;
  const file = join(root, 'package.json');
  const made = JSON.parse(readFileSync(file, 'utf8')) as object;
  const resolutions = { vite: packages['node_modules/vite']?.version };
  writeFileSync(file, JSON.stringify({ ...made, resolutions }));
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string } | undefined>>;
}

it.each([
  ['pnpm 12', 'pnpm install --lockfile-only'],
  ['yarn 4', 'yarn install --mode=update-lockfile'],
] as const)('%s builds a new server in the steps of its Dockerfile', async (manager, locks) => {
  const { root } = make(manager, '--name', 'image');
  holdVite(root);
  sh(manager, locks, root);
  const image = `${root}-image`;
  mkdirSync(image);
  for (const { instruction, line } of imageStepsOf(root)) {
    // The package manager is there already.
    if (instruction === 'RUN' && !line.includes('--global')) sh(manager, line, image);
    if (instruction === 'COPY') copyAsDocker(root, image, line);
  }
  expect(existsSync(join(image, 'node_modules/typescript'))).toBe(false);
  expect(await toolsOf(image)).toContain('count-primes');
});
