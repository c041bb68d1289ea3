import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './source.js';

export function packageVersion(): string {
  return (ownVersion ??= versionIn(packageRoot()));
}

let ownVersion: string | undefined;

/** The files whose code affects generated files: those of some rooms, and those outside rooms. */
const AFFECTING = /^(?:json-schema|generator\/(?:emit|ir|read))\/|^generator\/[^/]+$/;
/** The packages whose version affects generated files. */
const PACKAGES = ['json-schema-to-typescript', 'prettier', 'ts-morph'];

/**
 * The hash of the generator. It differs when this generator may write other files from the same schema.
 * The build stores it, because a built package contains no sources.
 */
export function generatorHash(): string {
  const built = join(packageRoot(), 'dist');
  return fileURLToPath(import.meta.url).startsWith(built)
    ? readFileSync(join(built, 'generator.sha256'), 'utf8')
    : hashSources();
}

function hashSources(): string {
  const hash = createHash('sha256');
  const files = ['generator', 'json-schema']
    .flatMap((folder) =>
      readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => path.endsWith('.ts') && AFFECTING.test(path))
    .sort();
  for (const path of files) {
    hash.update(`${path}\0${readFileSync(join(packageRoot(), path), 'utf8')}\0`);
  }
  for (const name of PACKAGES) {
    hash.update(`${name}@${versionIn(join(packageRoot(), 'node_modules', name))}\0`);
  }
  return hash.digest('hex');
}

function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
