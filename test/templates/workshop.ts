import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planProject } from '../../generator/project.js';
import { SERVER } from '../../generator/scaffold/index.js';
import type { Template } from '../../generator/scaffold/index.js';
import { applyPlan, diskFolder } from '../../generator/write/index.js';
import type { Combination } from './combinations.js';

const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A folder for many projects, which find this repository's packages above them. */
export interface Workshop {
  readonly folder: string;
  make(project: Pick<Combination, 'name' | 'choices'>, template?: Template): Promise<string>;
  /** Where one was made. */
  rootOf(name: string): string;
  close(): void;
}

export function openWorkshop(): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-projects-')));
  symlinkSync(nodeModules, join(folder, 'node_modules'), 'junction');
  return {
    folder,
    async make({ name, choices }, template = SERVER) {
      const root = join(folder, name);
      mkdirSync(root);
      const project = diskFolder(root);
      const request = { template, choices, name, folder: project, force: false };
      applyPlan(await planProject(request), project);
      return root;
    },
    rootOf: (name) => join(folder, name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
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
