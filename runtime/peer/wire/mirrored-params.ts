/** `x-mcp-header`: arguments of calls that HTTP headers repeat, as the input schema of a tool declares them. */

import { isObject, member } from './json.js';

export interface Mirrored {
  /** The part of the header's name after `Mcp-Param-`. */
  readonly header: string;
  /** Of the argument. */
  readonly path: readonly string[];
}

/** The arguments that headers repeat, or what is wrong with the declaration of one, so that clients leave the tool out. */
export interface Scan {
  readonly mirrored: readonly Mirrored[];
  readonly fault?: string;
}

const KEY = 'x-mcp-header';
/** The names that HTTP allows (RFC 9110, token). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
/** Reads a schema; one with more than `most` values in it, which a hostile server may send, is a fault. */
export function mirroredParams(schema: object, most = Infinity): Scan {
  const mirrored: Mirrored[] = [];
  const names = new Set<string>();
  const open: { readonly part: unknown; readonly path: readonly string[] | undefined }[] = [
    { part: schema, path: [] },
  ];
  for (let visited = 0; open.length > 0; visited += 1) {
    const { part, path } = open.pop() as (typeof open)[number];
    if (visited > most) return { mirrored: [], fault: 'its input schema is too large' };
    if (typeof part !== 'object' || part === null) continue;
    if (Object.hasOwn(part, KEY)) {
      const fault = faultOf(part, path, names);
      if (fault !== undefined) return { mirrored: [], fault };
      mirrored.push({ header: String(member(part, KEY)), path: path ?? [] });
    }
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (key === 'properties' && isObject(value)) {
        // Only a chain of properties leads to arguments that each call has at one place.
        for (const [name, inner] of Object.entries(value))
          open.push({ part: inner, path: path && [...path, name] });
      } else if (!VALUES.has(key)) open.push({ part: value, path: undefined });
    }
  }
  return { mirrored };
}

/** Keywords whose values are data, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', KEY]);

function faultOf(
  part: object,
  path: readonly string[] | undefined,
  names: Set<string>,
): string | undefined {
  const name = member(part, KEY);
  if (path === undefined || path.length === 0) return `${KEY} is allowed for properties only`;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `${KEY} ${JSON.stringify(name)} is not a name of a header`;
  }
  if (!TYPES.includes(member(part, 'type'))) {
    return `${KEY} ${name} is for a string, an integer or a boolean only`;
  }
  if (names.has(name.toLowerCase())) return `${KEY} ${name} is declared twice`;
  names.add(name.toLowerCase());
  return undefined;
}
