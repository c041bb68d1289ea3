import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './source.js';

/** The package that scaffolded projects depend on, packed. */
export interface RuntimePackage {
  /** The name with version and hash of the contents: `mcp-codegen-runtime-0.1.0-0a1b2c3d4e5f.tgz`. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

const NAME = /^mcp-codegen-runtime-.+\.tgz$/;

/** @throws when the build has not packed it. */
export function readRuntimePackage(): RuntimePackage {
  const folder = join(packageRoot(), 'dist', 'vendor');
  const fileName = existsSync(folder) ? readdirSync(folder).find((each) => NAME.test(each)) : null;
  if (!fileName) throw new Error(`There is no runtime package in ${folder}: run npm run build.`);
  return { fileName, bytes: readFileSync(join(folder, fileName)) };
}

/** The changelog of this package. */
export function readChangelog(): string {
  return readFileSync(join(packageRoot(), 'CHANGELOG.md'), 'utf8');
}
