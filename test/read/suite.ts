import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { Draft, JsonSchema, JsonValue } from '../../json-schema/index.js';

/**
 * The folder of the official JSON-Schema-Test-Suite, which is not part of this repository. Undefined when
 * `JSON_SCHEMA_TEST_SUITE` names none.
 */
export const SUITE = process.env['JSON_SCHEMA_TEST_SUITE'];

/** The drafts with the names of their folders. */
export const DRAFTS = [
  ['2020-12', 'draft2020-12'],
  ['2019-09', 'draft2019-09'],
  ['draft-07', 'draft7'],
  ['draft-06', 'draft6'],
  ['draft-04', 'draft4'],
] as const satisfies readonly (readonly [Draft, string])[];

/** One schema of the suite with the values that it is tried on. */
export interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** Tests of a draft, by the names of their files: those that the suite requires, or others. */
export function suiteGroups(
  draft: string,
  ...folder: readonly string[]
): [file: string, Group[]][] {
  return groupsIn(join(SUITE ?? '', 'tests', draft, ...folder));
}

/** Tests in a folder of a suite, by the names of their files. */
export function groupsIn(path: string): [file: string, Group[]][] {
  return readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, parse(join(path, name)) as never]);
}

/** The documents that the suite's references point to, and the metaschemas, by their URIs. */
export function suiteDocuments(suite = SUITE ?? ''): Map<string, JsonValue> {
  const remotes = join(suite, 'remotes');
  const served = filesBelow(remotes).map((path): [string, JsonValue] => [
    `http://localhost:1234/${relative(remotes, path).replaceAll(sep, '/')}`,
    parse(path),
  ]);
  return new Map([...served, ...metaschemas()]);
}

/** The metaschemas of all drafts, as ajv and its packages contain them. */
export function metaschemas(): [string, JsonValue][] {
  const files = [
    refsOf('ajv-draft-04', 'json-schema-draft-04.json'),
    refsOf('ajv', 'json-schema-draft-06.json'),
    refsOf('ajv', 'json-schema-draft-07.json'),
    ...filesBelow(refsOf('ajv', 'json-schema-2019-09')),
    ...filesBelow(refsOf('ajv', 'json-schema-2020-12')),
  ];
  return files.map((path) => {
    const json = parse(path) as { $id?: string; id?: string };
    return [json.$id ?? json.id ?? '', json];
  });
}

function refsOf(name: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(name)), 'refs', file);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.json') && statSync(path).isFile());
}

function parse(path: string): JsonValue {
  return JSON.parse(readFileSync(path, 'utf8')) as JsonValue;
}
