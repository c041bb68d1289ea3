import { build } from 'esbuild';
import { join } from 'node:path';
import { supportFor, supportUnits } from '../../generator/emit/index.js';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { applyErrata } from '../../generator/read/errata/index.js';
import { buildProtocol } from '../../generator/ir/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import {
  loadRevision,
  packageRoot,
  parseSource,
  readSupport,
} from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';
import type { SchemaDocument } from './corpus/index.js';
import { besideSources } from './beside-sources.js';

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
  const { outputFiles } = await build({
    stdin: {
      contents: besideSources(emitValidators(protocol)),
      loader: 'ts',
      sourcefile: 'validators.ts',
      resolveDir: join(packageRoot(), 'test/golden'),
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
  const exports = (await import(/* @vite-ignore */ url)) as Functions;
  return {
    is: (definition, value, options) => exports[`is${definition}`]?.(value, options) === true,
    validate: (definition, value, options) =>
      exports[`validate${definition}`]?.(value, options) as Verdict,
    exports,
  };
}

/** The support modules that generated files import, as they are written beside them: by path. All by default. */
export function supportFiles(generated?: readonly string[]): Record<string, string> {
  const sources = readSupport();
  const names = generated ? supportFor(generated) : [...sources.keys()];
  const units = supportUnits(names, sources);
  return Object.fromEntries(units.map(({ path, text }) => [path, text]));
}

/** A bundled revision, its errata applied: for the emitter, and as the corpus reads it. */
export function revisionOf(revision: Revision): { protocol: Protocol; document: SchemaDocument } {
  const { document, source } = loadRevision(revision);
  const { json } = applyErrata(parseSource(source) as { [key: string]: JsonValue });
  const section = document.dialect === 'draft-07' ? 'definitions' : '$defs';
  const definitions = json[section] as SchemaDocument['$defs'];
  return { protocol: buildProtocol(document), document: { [section]: definitions } };
}
