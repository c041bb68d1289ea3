import { jsonPointer, quote } from '../diagnostics/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import type { Place } from '../read/index.js';

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

/** Whose members have names of their own. */
const CONTAINERS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** Gives every definition the identifier that it is exported under. */
export interface DefinitionNames {
  /** The names for the definitions at these places, in their order. A name that is an identifier stays. */
  forDefinitions(paths: readonly (readonly string[])[]): string[];
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
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}${String(count)}`;
    taken.add(name);
    return name;
  }

  function invented(path: readonly string[]): string {
    const written = path.at(-1) ?? '';
    const name = take(identifierOf(written));
    diagnostics.push({
      code: 'bad-name',
      severity: 'warning',
      message: `A TypeScript type cannot be named ${quote(written)}, so it is named ${name}.`,
      pointer: jsonPointer(path),
      help: 'Use letters, digits, "_" and "$", and no reserved word.',
    });
    return name;
  }

  return {
    diagnostics,
    forDefinitions(paths) {
      paths.forEach((path) => isIdentifier(path.at(-1) ?? '') && taken.add(path.at(-1) ?? ''));
      return paths.map((path) => {
        const written = path.at(-1) ?? '';
        return isIdentifier(written) ? written : invented(path);
      });
    },
    forRoot: (title) => take(identifierOf(title)),
    forPlace({ path, document }) {
      const [container = '', last = ''] = path.slice(-2).map(String);
      if (path.length === 0) return take(identifierOf(stemOf(document)));
      if (!CONTAINERS.has(container)) return take(identifierOf(path.slice(-2).join(' ')));
      return take(isIdentifier(last) ? last : identifierOf(last));
    },
  };
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.has(name);
}

/** `my-node` → `MyNode`; the letters and digits of a text as the name of a type. */
function identifierOf(text: string): string {
  const words = text.slice(0, 80).split(/[^A-Za-z0-9_$]+/);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (name === '') return 'Definition';
  return isIdentifier(name) ? name : `Definition${name}`;
}

/** `https://example.com/a/node.schema.json` → `node`. */
function stemOf(uri: string): string {
  const last = uri
    .split('#')[0]
    ?.split('/')
    .findLast((part) => part !== '');
  return (last ?? '').replace(/(?:\.schema)?\.json$/i, '');
}
