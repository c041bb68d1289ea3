import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../cli/process.js';

const execute = promisify(execFile);

/** A server that people start with npx. Its tools are looked at, and none is called. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What hosts refuse or misread, as rules with the number of tools. */
  readonly expected: Readonly<Record<string, number>>;
}

export interface Linted {
  readonly tools: number;
  readonly findings: readonly {
    readonly rule: string;
    readonly effect: string;
    readonly pointer: string;
  }[];
}

/** Whether packages can be had. */
export async function hasRegistry(): Promise<boolean> {
  try {
    await execute('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000']);
    return true;
  } catch {
    return false;
  }
}

/** Installs a server without running scripts of packages, starts it, and lints its tools. */
export async function lintPackage(
  { name, version, args = [], env = {} }: Package,
  root: string,
): Promise<Linted> {
  const cwd = join(root, name.replaceAll('/', '+'));
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--prefer-offline',
  ];
  await execute('npm', ['install', ...quiet, `${name}@${version}`], { cwd });
  const folder = join(cwd, 'node_modules', name);
  const main = join(folder, binOf(folder));
  const { code, stdout, stderr } = await run(
    ['lint', '--json', '--timeout', '60', '--', process.execPath, main, ...args],
    { cwd, env: { HOME: cwd, ...env } },
  );
  if (code !== 0 && code !== 4) throw new Error(`${name} ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout) as Linted;
}

function binOf(folder: string): string {
  const { name, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly bin: string | Readonly<Record<string, string>>;
  };
  if (typeof bin === 'string') return bin;
  const path = bin[name.split('/').at(-1) ?? ''] ?? Object.values(bin)[0];
  if (path === undefined) throw new Error(`${name} has no program`);
  return path;
}

/** Rules with the number of tools that break them, without what others report. */
export function rulesOf({ findings }: Linted): Record<string, number> {
  const tools = new Map<string, Set<string>>();
  for (const { rule, effect, pointer } of findings) {
    if (effect === 'reported') continue;
    const tool = pointer.split('/', 3).join('/');
    tools.set(rule, (tools.get(rule) ?? new Set()).add(tool));
  }
  return Object.fromEntries([...tools].map(([rule, set]) => [rule, set.size]));
}
