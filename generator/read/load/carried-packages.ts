import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './source.js';
import { packFolder } from './tarball.js';
import type { Tarball } from './tarball.js';

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
export function readRuntimePackage(): Tarball {
  const found = readCarried(/^mcp-codegen-runtime-.+\.tgz$/);
  if (found) return found;
  throw new Error(`There is no runtime package in ${vendorFolder()}: run npm run build.`);
}

/** This package: as a build from a clone packed it, else from the folder that it was installed in. */
export function readToolPackage(): Tarball {
  return readCarried(/^mcp-codegen-\d.+\.tgz$/) ?? packFolder(packageRoot());
}

function readCarried(name: RegExp): Tarball | undefined {
  const folder = vendorFolder();
  const fileName = readdirSync(folder).find((each) => name.test(each));
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
