import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonValue } from '../../json-schema/index.js';
import { ANY_URI } from '../../generator/read/load/index.js';
import type { Ref } from '../../generator/read/load/index.js';
import { jsonFiles, parsed, schemaFiles } from './foreign.js';
import type { Foreign } from './foreign.js';
import { downloadedAll } from './install.js';
import type { SchemaPackage } from './packages.js';

export interface Limits {
  /** Schemas of one package, spread over all of its files. */
  readonly schemas: number;
  /** Bytes of one schema. */
  readonly bytes: number;
}

/** Downloads the packages and finds their schemas. */
export async function gathered(
  packages: readonly SchemaPackage[],
  limits: Limits,
): Promise<Foreign[]> {
  const wanted = packages.flatMap((each) => [each, ...(each.examplesOf ? [each.examplesOf] : [])]);
  const folders = await downloadedAll(wanted);
  return packages.flatMap((each) => schemasOf(each, folders, limits));
}

/**
 * The schemas below a folder, with its documents for references. A schema `a.json` has its examples below `a` in the
 * folders for examples.
 */
export function gatheredBelow(
  folder: string,
  limits: Limits,
  examples: readonly string[] = [],
): Foreign[] {
  const files = schemaFiles(folder).filter((file) => sizeOf(folder, file) <= limits.bytes);
  return files.map((file) => {
    const path = join(folder, file);
    const homes = examples.map((home) => join(home, file.replace(/\.json$/, '')));
    const found = homes
      .filter((home) => existsSync(home))
      .flatMap((home) => jsonFiles(home).map((each) => parsed(join(home, each))));
    return {
      label: file,
      path,
      refs: leadsElsewhere(path) ? allOf(folder) : [],
      instances: found.filter((value) => value !== undefined),
    };
  });
}

/** Whether a schema has references to other documents: reading those takes longer than everything else. */
const leadsElsewhere = (path: string): boolean =>
  /"\$ref"\s*:\s*"[^#]/.test(readFileSync(path, 'utf8'));

function schemasOf(
  { name, schemas, refs, served = {}, examples, values = one, examplesOf }: SchemaPackage,
  folders: ReadonlyMap<string, string>,
  limits: Limits,
): Foreign[] {
  const root = folders.get(name) ?? '';
  const files = schemas
    .flatMap((place) => schemaFiles(join(root, place)).map((file) => joined(place, file)))
    .filter((file) => sizeOf(root, file) <= limits.bytes);
  const home = folders.get(examplesOf?.name ?? name) ?? '';
  const others = examples ? jsonFiles(home) : [];
  const named = Object.entries(served).flatMap(([uri, folder]) => servedBelow(uri, root, folder));
  const shared = [...named, ...(refs === undefined ? [] : allOf(join(root, refs)))];
  return spread(files, limits.schemas).map((file) => {
    const path = join(root, file);
    const pattern = examples?.(file);
    const found = pattern ? others.filter((each) => each !== file && pattern.test(each)) : [];
    return {
      label: `${name}/${file}`,
      path,
      refs: leadsElsewhere(path) ? (shared.length > 0 ? shared : beside(path)) : [],
      instances: found.flatMap((each) => values(parsed(join(home, each)) ?? null)),
    };
  });
}

/** One list for a folder, by which its documents are kept. */
function allOf(folder: string): readonly Ref[] {
  const refs = FOLDERS.get(folder) ?? [{ uri: ANY_URI, file: folder }];
  FOLDERS.set(folder, refs);
  return refs;
}

const FOLDERS = new Map<string, readonly Ref[]>();
const beside = (path: string): readonly Ref[] => allOf(dirname(path));

/** The files of a folder, by their URIs on the server that has them. */
function servedBelow(uri: string, root: string, folder: string): Ref[] {
  const home = join(root, folder);
  return schemaFiles(home).map((file) => ({ uri: uri + file, file: join(home, file) }));
}

const one = (value: JsonValue): readonly JsonValue[] => [value];
const sizeOf = (folder: string, file: string): number => statSync(join(folder, file)).size;

function joined(place: string, file: string): string {
  return [place, file].filter((part) => part !== '.' && part !== '').join('/');
}

/** At most so many of a list, at even distances. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from(
    { length: most },
    (_, index) => list[Math.floor((index * list.length) / most)],
  ).filter((each) => each !== undefined);
}
