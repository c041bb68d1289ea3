import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, type StdinOptions } from 'esbuild';
import { newerNode } from '../../scripts/newer-node.js';
import { freePort } from '../../runtime/testing/free-port.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);
const NO_EVAL = '--disallow-code-generation-from-strings';

/** A place without Node where a server runs. */
export interface Place {
  /** The file in `server/` that starts it. */
  readonly entry: string;
  /** The command that runs a bundle. It prints the URL as its first line. */
  readonly command: (bundle: string) => Promise<readonly string[]>;
}

/** npm installs one package for each platform, whose program runs without the scripts of the main package. */
function binary(main: string, folder: string, program: string): string {
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(require.resolve(`${main}/package.json`), 'utf8'),
  ) as { optionalDependencies?: Readonly<Record<string, string>> };
  const found = Object.keys(optionalDependencies)
    .filter((name) => name.startsWith(`${folder}/`))
    .map((name) => join(here('../../node_modules'), name, program))
    // Where install scripts run, that of Bun moves the program.
    .concat(join(here('../../node_modules'), main, 'bin', `${main}.exe`))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${main} has no program for this machine`);
  return found;
}

export const deno = (): string => binary('deno', '@deno', 'deno');
export const bun = (): string => binary('bun', '@oven', 'bin/bun');
export const workerd = (): string => binary('workerd', '@cloudflare', 'bin/workerd');

/** Runs a worker, whose Durable Objects are of a class and reached by a binding. */
export async function miniflare(
  worker: string,
  port: string,
  ...binding: readonly string[]
): Promise<readonly string[]> {
  return [await newerNode(), here('server/miniflare.js'), worker, port, ...binding];
}

export const PLACES: Readonly<Record<'workerd' | 'Deno' | 'Bun', Place>> = {
  workerd: {
    entry: 'worker',
    command: (bundle) => miniflare(bundle, '0', 'PLACE', 'Place'),
  },
  Deno: {
    entry: 'deno',
    command: (bundle) => {
      const flags = ['--no-prompt', '--allow-net=127.0.0.1', `--v8-flags=${NO_EVAL}`];
      return Promise.resolve([deno(), 'run', ...flags, bundle]);
    },
  },
  Bun: { entry: 'bun', command: (bundle) => Promise.resolve([bun(), 'run', bundle]) },
};

/** Why a program does not run on this machine. Undefined where all run. */
export function missing(): string | undefined {
  try {
    for (const program of [deno(), bun(), workerd()]) execFileSync(program, ['--version']);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface Running {
  readonly url: string;
  /** What it printed on standard error. */
  readonly printed: () => string;
  stop(): Promise<void>;
}

/**
 * One file with all that a server imports, `external` aside: from the sources, or the package as it is built. Fails for a
 * module of Node.
 */
export async function bundle(
  entry: string | StdinOptions,
  outfile: string,
  external: readonly string[] = [],
  ofBuild = false,
): Promise<string> {
  await build({
    ...(typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: entry }),
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: [...external],
    logLevel: 'silent',
    // The paths in tsconfig.json lead to the sources.
    ...(ofBuild && { tsconfigRaw: {} }),
  });
  return readFileSync(outfile, 'utf8');
}

/** Bundles a server and starts it in a place. */
export async function start({ entry, command }: Place): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-edge-'));
  const file = join(folder, `${entry}.mjs`);
  await bundle(here(`server/${entry}.ts`), file);
  const { child, printed } = run(await command(file), folder);
  return { url: await firstLine(child, printed), ...stopping(child, folder), printed };
}

/** Bundles a page's example with the package as it is built, and starts it with a command that gets its file and a port. */
export async function startExample(
  text: string,
  command: (file: string, port: string) => Promise<readonly string[]>,
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-edge-'));
  const file = join(folder, 'server.mjs');
  await bundle({ contents: text, resolveDir: here('../..'), loader: 'ts' }, file, [], true);
  const port = String(await freePort());
  const { child, printed } = run(await command(file, port), folder, { PORT: port });
  const origin = `http://127.0.0.1:${port}`;
  while ((await fetch(`${origin}/health`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url: `${origin}/mcp`, ...stopping(child, folder), printed };
}

function run(
  [program = '', ...args]: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly printed: () => string } {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, NO_COLOR: '1', ...variables },
  });
  let printed = '';
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  return { child, printed: () => printed };
}

function stopping(child: ChildProcess, folder: string): Pick<Running, 'stop'> {
  return {
    async stop() {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function firstLine(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).once('line', resolve);
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`The server ended with ${String(code)}: ${printed()}`)),
    );
  });
}
