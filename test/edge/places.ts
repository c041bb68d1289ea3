import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { newerNode } from '../../scripts/newer-node.js';

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
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${main} has no program for this machine`);
  return found;
}

export const deno = (): string => binary('deno', '@deno', 'deno');
export const bun = (): string => binary('bun', '@oven', 'bin/bun');
export const workerd = (): string => binary('workerd', '@cloudflare', 'bin/workerd');

export const PLACES: Readonly<Record<'workerd' | 'Deno' | 'Bun', Place>> = {
  workerd: {
    entry: 'worker',
    command: async (bundle) => {
      workerd();
      return [await newerNode(), here('server/miniflare.js'), bundle];
    },
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

/** One file with all that a server imports, `external` aside. Fails for a module of Node. */
export async function bundle(
  entry: string,
  outfile: string,
  external: readonly string[] = [],
): Promise<string> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: [...external],
    logLevel: 'silent',
  });
  return readFileSync(outfile, 'utf8');
}

/** Bundles a server and starts it in a place. */
export async function start({ entry, command }: Place): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-edge-'));
  const file = join(folder, `${entry}.mjs`);
  await bundle(here(`server/${entry}.ts`), file);
  const [program = '', ...args] = await command(file);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, NO_COLOR: '1' },
  });
  let printed = '';
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  const url = await firstLine(child, () => printed);
  return {
    url,
    printed: () => printed,
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
