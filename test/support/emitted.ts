import { transformSync } from 'esbuild';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { buildProtocol } from '../../generator/ir/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import { loadRevision } from '../../generator/load/index.js';
import type { Revision } from '../../generator/load/index.js';
import type { SchemaDocument } from './corpus/index.js';

export interface ReportedError {
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  readonly message: string;
}

export type Verdict =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly ReportedError[] };

/** The functions of an emitted file, by name: what they take is the test's to know. */
export interface Emitted {
  readonly is: (definition: string, value: unknown, options?: object) => boolean;
  readonly validate: (definition: string, value: unknown, options?: object) => Verdict;
  /** The module as it is, for what only some files export. */
  readonly exports: Readonly<Record<string, unknown>>;
}

type Functions = Readonly<Record<string, (value: unknown, options?: object) => unknown>>;

/** Emits the validators of a protocol and loads them, as JavaScript. */
export async function emitted(protocol: Protocol): Promise<Emitted> {
  const { code } = transformSync(emitValidators(protocol), { loader: 'ts', target: 'es2022' });
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const exports = (await import(/* @vite-ignore */ url)) as Functions;
  return {
    is: (definition, value, options) => exports[`is${definition}`]?.(value, options) === true,
    validate: (definition, value, options) => {
      const validate = exports[`validate${definition}`];
      const given = takesOptions(definition, exports) ? [options] : [];
      return validate?.(value, ...given) as Verdict;
    },
    exports,
  };
}

/** `validateResult` of a revision does not: with a second argument it asks for a method. */
export function takesOptions(definition: string, exports: object): boolean {
  return definition !== 'Result' || !('validateMessage' in exports);
}

/** A bundled revision, its errata applied: for the emitter, and as the corpus reads it. */
export function revisionOf(revision: Revision): { protocol: Protocol; document: SchemaDocument } {
  const { document } = loadRevision(revision);
  const section = document.dialect === 'draft-07' ? 'definitions' : '$defs';
  return {
    protocol: buildProtocol(document),
    document: { [section]: Object.fromEntries(document.definitions) },
  };
}
