import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './source.js';

/** A package that scaffolded projects depend on, packed by the build. */
export interface CarriedPackage {
  /** The name with version and hash of the contents: `mcp-codegen-runtime-0.1.0-0a1b2c3d4e5f.tgz`. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

const NAMES = {
  runtime: /^mcp-codegen-runtime-.+\.tgz$/,
  tool: /^mcp-codegen-\d.+\.tgz$/,
} as const;

/** @throws when the build has not packed it. */
export function readRuntimePackage(): CarriedPackage {
  const found = readCarried('runtime');
  if (found) return found;
  throw new Error(`There is no runtime package in ${vendorFolder()}: run npm run build.`);
}

/** This package itself. Undefined in a copy that came out of such a package, which cannot contain itself. */
export function readToolPackage(): CarriedPackage | undefined {
  return readCarried('tool');
}

function readCarried(which: keyof typeof NAMES): CarriedPackage | undefined {
  const folder = vendorFolder();
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const fileName = files.find((each) => NAMES[which].test(each));
  return fileName === undefined
    ? undefined
    : { fileName, bytes: readFileSync(join(folder, fileName)) };
}

function vendorFolder(): string {
  return join(packageRoot(), 'dist', 'vendor');
}

/** The changelog of this package. */
export function readChangelog(): string {
  return readFileSync(join(packageRoot(), 'CHANGELOG.md'), 'utf8');
}
