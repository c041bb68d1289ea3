import type { Diagnostic } from '../diagnostics/index.js';
import { jsonPointer, quote } from '../diagnostics/index.js';

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

/** Checks that a definition's name is an identifier, because the definition is exported under it. */
export function checkName(name: string, container: string): Diagnostic | undefined {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.has(name)) return undefined;
  return {
    code: 'bad-name',
    severity: 'error',
    message: `A TypeScript type cannot be named ${quote(name)}.`,
    pointer: jsonPointer([container, name]),
    help: 'Use letters, digits, "_" and "$", and no reserved word.',
  };
}
