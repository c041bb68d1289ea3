import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { JsonValue } from '../../json-schema/index.js';
import type { Ref } from '../../generator/read/load/index.js';

/** A schema that this project did not write. */
export interface Foreign {
  /** The package or folder, and the file in it. */
  readonly label: string;
  readonly path: string;
  /** What references may lead to, as `--ref` takes it. */
  readonly refs: readonly Ref[];
  /** Values that came with it, each for the document itself. */
  readonly instances: readonly JsonValue[];
}

/** The JSON files below a folder that look like schemas: sorted, with `/`. */
export function schemaFiles(root: string): string[] {
  return jsonFiles(root).filter((file) => looksLikeSchema(parsed(join(root, file))));
}

/** All JSON files below a folder: sorted, with `/`. */
export function jsonFiles(root: string): string[] {
  if (statSync(root).isFile()) return [''];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !/(?:^|\/)(?:package(?:-lock)?|tsconfig)\.json$/.test(file))
    .sort();
}

/** Undefined for a file that is no JSON. */
export function parsed(path: string): JsonValue | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as JsonValue;
  } catch {
    return undefined;
  }
}

const MARKS = ['definitions', '$defs', 'properties', 'allOf', 'anyOf', 'oneOf', '$ref', 'items'];

function looksLikeSchema(json: JsonValue | undefined): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  const { $schema } = json;
  if (typeof $schema === 'string') return /json-schema\.org/.test($schema);
  const marks = MARKS.filter((key) => typeof json[key] === 'object');
  return typeof json['type'] === 'string' ? TYPES.has(json['type']) : marks.length > 0;
}

const TYPES: ReadonlySet<string> = new Set([
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
]);
