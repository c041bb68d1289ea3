import { matchesUriTemplate } from '../../../generated/support/uri-template.js';

/**
 * URI templates of RFC 6570 in both directions. `{x}`, `{+x}`, `{#x}`, `{.x}`, `{/x}`, `{;x}` have to be in a URI that
 * matches, and are not empty. `{?x}` and `{&x}` may be missing, may be empty, come in any order, and end the template.
 * `{x*}` is a list. A prefix, as in `{x:3}`, cannot be matched, and is refused.
 *
 * Matching takes time in proportion to the length of the URI: for each part of the template, from the last one to the
 * first, it notes the places from which the rest matches.
 */
export interface UriTemplate<Values = AnyValues> {
  readonly text: string;
  readonly names: readonly string[];
  /** The values in a URI, decoded; undefined for a URI of another form. */
  readonly match: (uri: string) => Values | undefined;
  /** The URI with these values. */
  readonly expand: (values: Values) => string;
}

type AnyValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The variables of a template, from its text: `{ readonly id: string }` for `'shop://orders/{id}'`. */
export type TemplateVariables<T extends string> = string extends T
  ? AnyValues
  : Flat<UnionToIntersection<VariablesIn<Expressions<T>>>>;

type Expressions<T extends string> = T extends `${string}{${infer E}}${infer Rest}`
  ? E | Expressions<Rest>
  : never;
type VariablesIn<E extends string> = E extends `${'?' | '&'}${infer List}`
  ? Partial<Each<List>>
  : E extends `${'+' | '#' | '.' | '/' | ';'}${infer List}`
    ? Each<List>
    : Each<E>;
type Each<List extends string> = {
  readonly [Spec in Split<List> as NameOf<Spec>]: Spec extends `${string}*`
    ? readonly string[]
    : string;
};
type NameOf<Spec extends string> = Spec extends `${infer Name}*` ? Name : Spec;
type Split<List extends string> = List extends `${infer First},${infer Rest}`
  ? First | Split<Rest>
  : List;
// A template without variables has an object without members.
type UnionToIntersection<U> = [U] extends [never]
  ? Readonly<Record<never, never>>
  : (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
    ? I
    : never;
type Flat<T> = { [K in keyof T]: T[K] };

interface Variable {
  readonly name: string;
  readonly isList: boolean;
}

/** How the values of an operator are written. */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** What an encoded value does not contain. */
  readonly excluded: string;
  /** Whether a value keeps reserved characters. */
  readonly keepsReserved?: true;
  /** Whether each value follows its name. */
  readonly isNamed?: true;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': { first: '', separator: ',', excluded: '/?#,' },
  '+': { first: '', separator: ',', excluded: '', keepsReserved: true },
  '#': { first: '#', separator: ',', excluded: '', keepsReserved: true },
  '.': { first: '.', separator: '.', excluded: '/?#,' },
  '/': { first: '/', separator: '/', excluded: '/?#,' },
  ';': { first: ';', separator: ';', excluded: '/?#,;', isNamed: true },
  '?': { first: '?', separator: '&', excluded: '&#', isNamed: true },
  '&': { first: '&', separator: '&', excluded: '&#', isNamed: true },
};

type Piece = { readonly literal: string } | Expression;

interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** @throws {TypeError} that says what is wrong with the text. */
export function parseUriTemplate<const T extends string>(
  text: T,
): UriTemplate<TemplateVariables<T>> {
  const pieces = piecesOf(text);
  const names = pieces.flatMap((each) =>
    'literal' in each ? [] : each.variables.map(({ name }) => name),
  );
  const again = names.find((name, index) => names.indexOf(name) !== index);
  if (again !== undefined) throw invalid(text, `two variables are called ${again}`);
  const start = pieces.findIndex(isQuery);
  const path = start < 0 ? pieces : pieces.slice(0, start);
  const query = start < 0 ? undefined : joined(text, pieces.slice(start));
  const parts = path.flatMap((each) => partsOf(each));
  return {
    text,
    names,
    match: (uri) => matched(parts, query, uri) as TemplateVariables<T> | undefined,
    expand(given) {
      const values = given as AnyValues;
      const missing = path
        .flatMap((each) => ('literal' in each ? [] : each.variables))
        .find(({ name }) => values[name] === undefined);
      if (missing !== undefined) throw new TypeError(`${text} needs a value of ${missing.name}`);
      return [...path, ...(query ? [query] : [])].map((each) => expanded(each, values)).join('');
    },
  };
}

function invalid(text: string, why: string): TypeError {
  return new TypeError(`${JSON.stringify(text.slice(0, 200))} is no usable URI template: ${why}`);
}

function piecesOf(text: string): Piece[] {
  if (!matchesUriTemplate(text)) throw invalid(text, 'RFC 6570 does not allow it');
  const pieces: Piece[] = [];
  let start = 0;
  for (let open; (open = text.indexOf('{', start)) >= 0;) {
    const close = text.indexOf('}', open);
    if (open > start) pieces.push({ literal: text.slice(start, open) });
    pieces.push(expressionIn(text, text.slice(open + 1, close)));
    start = close + 1;
  }
  if (start < text.length) pieces.push({ literal: text.slice(start) });
  return pieces;
}

function expressionIn(text: string, inside: string): Expression {
  const [, sign = '', list = ''] = /^([^\w%]?)(.*)$/.exec(inside) ?? [];
  const operator = OPERATORS[sign];
  if (operator === undefined) throw invalid(text, `the operator ${sign} is reserved`);
  const variables = list.split(',').map((each) => {
    const isList = each.endsWith('*');
    if (each.includes(':')) throw invalid(text, `the prefix in {${each}} cannot be matched`);
    if (isList && sign === ';') throw invalid(text, `the list {;${each}} cannot be matched`);
    return { name: each.replace('*', ''), isList };
  });
  return { operator, variables };
}

function isQuery(piece: Piece): boolean {
  return 'operator' in piece && piece.operator.separator === '&';
}

/** The expressions of the query as one. */
function joined(text: string, pieces: readonly Piece[]): Expression {
  const expressions = pieces.map((each) => {
    if ('operator' in each && isQuery(each)) return each;
    throw invalid(text, 'nothing may follow {?…} and {&…}');
  });
  const operator = expressions[0]?.operator as Operator;
  return { operator, variables: expressions.flatMap(({ variables }) => variables) };
}

/** A text that a URI has to contain, or a place for a value. */
type Part = string | Slot;

interface Slot {
  readonly variable: Variable;
  readonly excluded: string;
  /** Between the members of a list. */
  readonly separator: string;
}

function partsOf(piece: Piece): Part[] {
  if ('literal' in piece) return [piece.literal];
  const { first, separator, excluded, isNamed } = piece.operator;
  return piece.variables.flatMap((variable, index): Part[] => {
    const before = (index === 0 ? first : separator) + (isNamed ? `${variable.name}=` : '');
    const kept = variable.isList ? excluded.replace(separator, '') : excluded;
    const slot = { variable, excluded: kept, separator };
    return before === '' ? [slot] : [before, slot];
  });
}

/** Characters of a URI. A longer one matches no template: the notes of the places would take much memory. */
const LONGEST = 2 ** 16;

type Value = string | readonly string[];
type Entries = (readonly [string, Value])[];

function matched(
  parts: readonly Part[],
  query: Expression | undefined,
  uri: string,
): AnyValues | undefined {
  const [head] = parts;
  // Most URIs are of another template, and begin otherwise.
  if (typeof head === 'string' && !uri.startsWith(head)) return undefined;
  if (uri.length > LONGEST) return undefined;
  try {
    const found = query && queryIn(query, uri);
    const path = found ? uri.slice(0, found.start) : uri;
    const entries = inPath(parts, path);
    // Names may be such that objects inherit.
    return entries && Object.fromEntries([...entries, ...(found?.values ?? [])]);
  } catch (error) {
    // A % without two digits after it.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * The query at the end of a URI, read from the end. Undefined where it has no `?`, or a variable that the template
 * does not have. `&` continues a query whose beginning is part of the template, so it ends where that ends.
 */
function queryIn(
  { operator, variables }: Expression,
  uri: string,
): { readonly start: number; readonly values: Entries } | undefined {
  const mark = operator.first === '?' ? uri.lastIndexOf('?') : -1;
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  const values = new Map<string, string[]>();
  let start = uri.length;
  while (start > 0 && start !== mark) {
    const at = Math.max(mark, uri.lastIndexOf('&', start - 1));
    const equals = uri.indexOf('=', at);
    const name = at < 0 || equals < 0 || equals > start ? '' : uri.slice(at + 1, equals);
    const variable = known.get(name);
    const earlier = values.get(name);
    if (variable === undefined || (earlier !== undefined && !variable.isList)) break;
    const value = decodeURIComponent(uri.slice(equals + 1, start));
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
    start = at;
  }
  if (operator.first === '?' && start !== mark) return undefined;
  const entries = variables.flatMap(({ name, isList }): Entries => {
    const all = values.get(name)?.reverse();
    return all === undefined ? [] : [[name, isList ? all : (all[0] as string)]];
  });
  return { start, values: entries };
}

function inPath(parts: readonly Part[], path: string): Entries | undefined {
  const end = new Int32Array(path.length + 1).fill(-1);
  end[path.length] = path.length;
  // For each part and place: where the part ends so that the rest matches as well, or -1.
  const ends = parts.reduceRight<Int32Array[]>(
    (all, part) => [endsOf(part, path, all[0] as Int32Array), ...all],
    [end],
  );
  const entries: Entries = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const next = ends[index]?.[at] ?? -1;
    if (next < 0) return undefined;
    if (typeof part !== 'string') entries.push(entryOf(part, path.slice(at, next)));
    at = next;
  }
  return at === path.length ? entries : undefined;
}

function endsOf(part: Part, path: string, rest: Int32Array): Int32Array {
  const ends = new Int32Array(path.length + 1).fill(-1);
  // A value ends as late as it can.
  let latest = -1;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    if (typeof part === 'string') {
      const after = at + part.length;
      if ((rest[after] ?? -1) >= 0 && path.startsWith(part, at)) ends[at] = after;
      continue;
    }
    if (latest < 0 && (rest[at + 1] ?? -1) >= 0) latest = at + 1;
    if (part.excluded.includes(path.charAt(at))) latest = -1;
    ends[at] = latest;
  }
  return ends;
}

function entryOf({ variable, separator }: Slot, text: string): readonly [string, Value] {
  const { name, isList } = variable;
  return [name, isList ? text.split(separator).map(decodeURIComponent) : decodeURIComponent(text)];
}

function expanded(piece: Piece, values: AnyValues): string {
  if ('literal' in piece) return piece.literal;
  const { first, separator, isNamed, keepsReserved } = piece.operator;
  const encode = keepsReserved ? encodeURI : encoded;
  const given = piece.variables.flatMap(({ name }) => {
    const value = values[name] ?? [];
    const texts = (typeof value === 'string' ? [value] : value).map((each) => encode(each));
    return isNamed ? texts.map((each) => `${name}=${each}`) : texts;
  });
  return given.length === 0 ? '' : first + given.join(separator);
}

/** Everything but letters, digits and `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
