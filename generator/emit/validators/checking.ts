import type { Pieces } from './pieces.js';

/** Source of what the checks call. */
export const CHECKING: Pieces = {
  Context: `
/** What checks share during one validation. */
interface Context {
  readonly formats: boolean;
  /** How many levels deeper definitions that hold themselves may go. */
  depth: number;
  /** How many values of such definitions are looked at before giving up. */
  fuel: number;
}
`,
  Check: `
type Check = (v: unknown, c: Context) => boolean;
`,
  Properties: `
type Properties = { readonly [key: string]: unknown };
`,
  contextOf: `
function contextOf(options: ValidationOptions | undefined): Context {
  return { formats: options?.formats === true, depth: 500, fuel: 50_000_000 };
}
`,
  accepts: `
/** What throws when it is read, or nests so that the stack ends, is not valid. */
function accepts(check: Check, value: unknown, options: ValidationOptions | undefined): boolean {
  try {
    return check(value, contextOf(options));
  } catch {
    return false;
  }
}
`,
  record: `
function record(v: unknown): v is Properties {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}
`,
  list: `
function list(v: unknown): v is readonly unknown[] {
  return Array.isArray(v);
}
`,
  finite: `
function finite(v: unknown): v is number {
  return Number.isFinite(v);
}
`,
  whole: `
function whole(v: unknown): v is number {
  return Number.isInteger(v);
}
`,
  ownMember: `
/** Every object inherits a member of that name; only its own counts. */
function ownMember(v: Properties, key: string): unknown {
  return Object.hasOwn(v, key) ? v[key] : undefined;
}
`,
  characters: `
/** Unicode code points, as JSON Schema counts. */
function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const high = text.charCodeAt(i) >>> 10 === 0x36;
    if (high && text.charCodeAt(i + 1) >>> 10 === 0x37) count--;
  }
  return count;
}
`,
  nest: `
/** Follows a definition that may hold itself, not too far. */
function nest(check: Check, v: unknown, c: Context): boolean {
  if (c.depth <= 0 || c.fuel <= 0) return false;
  c.depth--;
  c.fuel--;
  const valid = check(v, c);
  c.depth++;
  return valid;
}
`,
};
