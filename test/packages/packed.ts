import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The version of all packages. */
export const { version: VERSION } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as {
  readonly version: string;
};

const VENDOR = join(root, 'dist/vendor');

/** The runtime's tarball, as the build made it. */
export function runtimeTarball(): string {
  const found = readdirSync(VENDOR).filter((name) => name.startsWith('mcp-codegen-runtime-'));
  const [name, ...others] = found;
  if (name === undefined || others.length > 0) throw new Error(`Not one tarball in ${VENDOR}`);
  return join(VENDOR, name);
}

/** A new project outside of this repository; `remove` deletes it. */
export interface Project {
  readonly folder: string;
  /** Adds packages: tarballs or names with versions. */
  install(...packages: string[]): void;
  write(path: string, text: string): void;
  /** Runs Node with these arguments; standard output and error as one, and the exit code. */
  node(...args: string[]): { readonly code: number; readonly output: string };
  remove(): void;
}

export function newProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-packed-'));
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  write('package.json', '{ "name": "empty", "private": true }');
  return {
    folder,
    write,
    install(...packages) {
      const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
      execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: 'pipe' });
    },
    node(...args) {
      try {
        const output = execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
        return { code: 0, output: output.toString() };
      } catch (error) {
        const { status, stdout, stderr } = error as Record<'status' | 'stdout' | 'stderr', unknown>;
        return { code: Number(status), output: `${String(stdout)}${String(stderr)}` };
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(folder, path)))
    .filter((found) => found.isFile())
    .reduce((sum, { size }) => sum + size, 0);
}
