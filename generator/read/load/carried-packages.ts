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

/**
 * The versions of both packages that fit this copy of the tool, if it comes from a registry: then it carries no packages,
 * because its projects find them where it was found.
 */
export function releasedRange(): string | undefined {
  if (existsSync(vendorFolder())) return undefined;
  const manifest = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return `^${(JSON.parse(manifest) as { version: string }).version}`;
}

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
  const fileName = readdirSync(folder).find((each) => NAMES[which].test(each));
  return fileName === undefined
    ? undefined
    : { fileName, bytes: readFileSync(join(folder, fileName)) };
}

function vendorFolder(): string {
  return join(packageRoot(), 'dist', 'vendor');
}

/** The changelogs of both packages; first that of the runtime, which a project's code imports. */
export function readChangelogs(): string[] {
  return ['runtime/CHANGELOG.md', 'CHANGELOG.md'].map((path) =>
    readFileSync(join(packageRoot(), path), 'utf8'),
  );
}
