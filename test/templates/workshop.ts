import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { planProject } from '../../generator/plan/project.js';
import { SERVER } from '../../generator/scaffold/index.js';
import type { Template } from '../../generator/scaffold/index.js';
import { applyPlan, diskFolder } from '../../generator/write/index.js';
import { bundleServer } from '../../runtime/program/bundle/index.js';
import type { Combination } from './combinations.js';

const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A folder for many projects, which find this repository's packages above them. */
export interface Workshop {
  readonly folder: string;
  make(project: Pick<Combination, 'name' | 'choices'>, template?: Template): Promise<string>;
  /** A server that {@link PROGRAM} starts. */
  makeBuilt(project: Pick<Combination, 'name' | 'choices'>): Promise<string>;
  /** Where one was made. */
  rootOf(name: string): string;
  close(): void;
}

export function openWorkshop(): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-projects-')));
  symlinkSync(nodeModules, join(folder, 'node_modules'), 'junction');
  const make: Workshop['make'] = async ({ name, choices }, template = SERVER) => {
    const root = join(folder, name);
    mkdirSync(root);
    const project = diskFolder(root);
    const request = { template, choices, name, folder: project, force: false };
    applyPlan(await planProject(request), project);
    return root;
  };
  return {
    folder,
    make,
    async makeBuilt(project) {
      const root = await make(project);
      await buildServer(root);
      return root;
    },
    rootOf: (name) => join(folder, name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The program of a server, once it is built. */
export const PROGRAM = join('dist', 'main.js');

/** Builds a server as its script `build` does, but without checking its types. */
export async function buildServer(root: string): Promise<void> {
  const source = join(root, 'src');
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' });
  await esbuild.build({
    entryPoints: modules.filter((path) => path.endsWith('.ts')).map((path) => join(source, path)),
    ...{ outdir: join(root, 'dist'), outbase: source, format: 'esm', target: 'node20' },
  });
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly build: string };
  };
  if (!scripts.build.includes('mcp-bundle')) return;
  await bundleServer(join(source, 'main.ts'), join(root, PROGRAM));
}

export interface Ran {
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
}

/** Runs a program of this repository's packages, or of a project's own. */
export async function runNode(args: readonly string[], cwd: string): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, args, { cwd, env: { PATH, HOME, NO_COLOR: '1' } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Every file of a project, by path from its folder. */
export function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
}

/** The entry point of a program that a package carries. */
export function programOf(...path: readonly string[]): string {
  return join(nodeModules, ...path);
}

/** The `test` script of a project, for `runNode`. */
export const TEST = [programOf('vitest', 'vitest.mjs'), 'run'];
