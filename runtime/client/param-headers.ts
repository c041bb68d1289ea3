/** `x-mcp-header`: arguments of calls that HTTP headers repeat, in revisions without sessions. */

import type { JsonObject } from '../tasks/index.js';
import { encodedHeader, headerText } from '../peer/wire/header-values.js';
import { at, isObject, member } from '../peer/wire/json.js';
import { printable } from './printable.js';

interface Mirrored {
  readonly header: string;
  readonly path: readonly string[];
}

/** The arguments that headers repeat, or what is wrong with the declaration of one. */
interface Scan {
  readonly mirrored: readonly Mirrored[];
  readonly fault?: string;
}

/** By schema, because a tool is called many times. */
const scans = new WeakMap<object, Scan>();

export function mirroredIn(schema: object): Scan {
  let scan = scans.get(schema);
  if (scan === undefined) scans.set(schema, (scan = scanned(schema)));
  return scan;
}

/** The headers of a call. Undefined where the schema has none. */
export function headersFor(
  schema: object,
  args: JsonObject,
): Readonly<Record<string, string>> | undefined {
  const { mirrored } = mirroredIn(schema);
  if (mirrored.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { header, path } of mirrored) {
    const text = headerText(at(args, path));
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encodedHeader(text);
  }
  return headers;
}

const KEY = 'x-mcp-header';
/** The names that HTTP allows (RFC 9110, token). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Schemas that a hostile server may nest. */
const MOST_NODES = 10_000;

function scanned(schema: object): Scan {
  const mirrored: Mirrored[] = [];
  const names = new Set<string>();
  const open: { readonly node: unknown; readonly path: readonly string[] | undefined }[] = [
    { node: schema, path: [] },
  ];
  for (let visited = 0; open.length > 0; visited += 1) {
    const { node, path } = open.pop() as (typeof open)[number];
    if (visited > MOST_NODES) return { mirrored: [], fault: 'its input schema is too large' };
    if (typeof node !== 'object' || node === null) continue;
    if (Object.hasOwn(node, KEY)) {
      const fault = faultOf(node, path, names);
      if (fault !== undefined) return { mirrored: [], fault };
      mirrored.push({ header: String(member(node, KEY)), path: path ?? [] });
    }
    for (const [key, value] of Object.entries(node) as [string, unknown][]) {
      if (key === 'properties' && isObject(value)) {
        // Only a chain of properties leads to arguments that each call has at one place.
        for (const [name, inner] of Object.entries(value))
          open.push({ node: inner, path: path && [...path, name] });
      } else if (!VALUES.has(key)) open.push({ node: value, path: undefined });
    }
  }
  return { mirrored };
}

/** Keywords whose values are data, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', KEY]);

function faultOf(
  node: object,
  path: readonly string[] | undefined,
  names: Set<string>,
): string | undefined {
  const name = member(node, KEY);
  if (path === undefined || path.length === 0) return `${KEY} is allowed for properties only`;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `${KEY} ${printable(JSON.stringify(name))} is not a name of a header`;
  }
  if (!TYPES.includes(member(node, 'type'))) {
    return `${KEY} ${name} is for a string, an integer or a boolean only`;
  }
  if (names.has(name.toLowerCase())) return `${KEY} ${name} is declared twice`;
  names.add(name.toLowerCase());
  return undefined;
}
