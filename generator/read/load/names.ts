import type { Place } from '../../../json-schema/index.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import { quote } from '../../../json-schema/text.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import { capitalized, isIdentifier, pascalCase } from '../../ir/index.js';
import { stemOf } from './stem.js';

/** Names that TypeScript does not allow for a type. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'any as asserts async await bigint boolean break case catch class const continue debugger ' +
    'declare default delete do else enum export extends false finally for from function get if ' +
    'implements import in infer instanceof interface intrinsic is keyof let module namespace never ' +
    'new null number object of out override package private protected public readonly require ' +
    'return satisfies set static string super switch symbol this throw true try type typeof ' +
    'undefined unique unknown using var void while with yield globalThis arguments eval'
  ).split(' '),
);

/** A schema, what it is called in the document, and where it is. */
export interface Named {
  readonly name: string;
  readonly path: readonly string[];
}

/** A definition to read, the name that it gets, and where it is. */
export interface Entry {
  readonly given: string;
  readonly path: readonly string[];
}

/** Gives every definition the identifier that it is exported under. */
export interface DefinitionNames {
  /**
   * The entries of definitions of these names, in their order. A name that is an identifier with a capital stays,
   * so another definition cannot change it. Names do not depend on the order.
   */
  forDefinitions(written: readonly Named[]): Entry[];
  /** The name for a document that is a schema itself. */
  forRoot(title: string): string;
  /** The name for another place that is referred to. */
  forPlace(place: Place): string;
  /** Warnings about names that could not stay. */
  readonly diagnostics: Diagnostic[];
}

export function createDefinitionNames(): DefinitionNames {
  const taken = new Set<string>();
  const diagnostics: Diagnostic[] = [];

  function take(wanted: string): string {
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) {
      name = `${wanted}${/\p{Nd}$/u.test(wanted) ? '_' : ''}${String(count)}`;
    }
    taken.add(name);
    return name;
  }

  return {
    diagnostics,
    forDefinitions(named) {
      const wanted = new Map(named.map(({ name }) => [name, typeName(name)]));
      const given = new Map<string, string>();
      const waiting: string[] = [];
      for (const written of [...wanted.keys()].sort(byLikeness(wanted))) {
        const name = wanted.get(written) ?? '';
        if (taken.has(name)) waiting.push(written);
        else given.set(written, take(name));
      }
      for (const written of waiting) given.set(written, take(wanted.get(written) ?? ''));
      return named.map(({ name: written, path }) => {
        const name = given.get(written) ?? '';
        const problem = problemOf(written, wanted.get(written) ?? '', name);
        if (problem) diagnostics.push({ ...problem, pointer: jsonPointer(path) });
        return { given: name, path };
      });
    },
    forRoot: (title) => take(typeName(title)),
    forPlace: (place) => take(typeName(placeName(place))),
  };
}

/** The name that a definition gets if no other has it. */
function typeName(written: string): string {
  if (isAllowed(written) && capitalized(written) === written) return written;
  const name = pascalCase(written);
  if (name === '') return 'Definition';
  return isAllowed(name) ? name : `Definition${name}`;
}

function isAllowed(name: string): boolean {
  return isIdentifier(name) && !RESERVED.has(name);
}

/** Those whose names stay come first, then identifiers, then others; the rest is by code units. */
function byLikeness(wanted: ReadonlyMap<string, string>): (a: string, b: string) => number {
  const rank = (written: string): number => {
    if (wanted.get(written) === written) return 0;
    return isIdentifier(written) ? 1 : 2;
  };
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
}

function problemOf(written: string, wanted: string, name: string): Diagnostic | undefined {
  if (name !== wanted) {
    return {
      code: 'bad-name',
      severity: 'warning',
      message: `${quote(written)} is named ${name}, because ${wanted} is the name of another definition.`,
      help: 'Rename one of the two.',
    };
  }
  if (isAllowed(written)) return undefined;
  return {
    code: 'bad-name',
    severity: 'warning',
    message: `A TypeScript type cannot be named ${quote(written)}, so it is named ${name}.`,
    help: 'Use letters, digits, "_" and "$", and no reserved word.',
  };
}

/** Keywords whose members are named, wherever they are. */
const DEFINING: ReadonlySet<string> = new Set(['$defs', 'definitions', 'schemas']);

/** What the schemas of a keyword describe, where its own name does not say it. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'].map(
    (keyword) => [keyword, 'item'] as const,
  ),
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties'].map(
    (keyword) => [keyword, 'value'] as const,
  ),
]);

/** Deeper places have the names of the last ones. */
const MOST_WORDS = 4;

/**
 * What a schema is called that is no definition but is referred to: `#/$defs/User/properties/address` →
 * `User address`, and a whole document by its file.
 */
export function placeName({ path, document }: Pick<Place, 'path' | 'document'>): string {
  if (path.length === 0) return stemOf(document);
  let words: string[] = [];
  for (let index = 0; index < path.length; index += 1) {
    const part = String(path[index]);
    const member = path[index + 1];
    const isNaming = member !== undefined && (DEFINING.has(part) || part === 'properties');
    if (isNaming) index += 1;
    if (isNaming && part !== 'properties') words = [String(member)];
    else words.push(isNaming ? String(member) : (PARTS.get(part) ?? part));
  }
  return words.slice(-MOST_WORDS).join(' ');
}
