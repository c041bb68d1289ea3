import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { emitValidators } from '../../generator/emit/validators/index.js';
import type { JsonValue, Protocol } from '../../generator/ir/index.js';
import { Reading } from '../../generator/read/index.js';
import type { Draft, JsonSchema } from '../../generator/read/index.js';
import { temporaryFolder } from '../support/stores.js';

const SUPPORT = 'generator/emit/support';

interface Options {
  readonly formats?: boolean;
}

/** The functions that are emitted for one schema. */
export interface Compiled {
  readonly is: (value: unknown, options?: Options) => boolean;
  readonly validate: (value: unknown, options?: Options) => Verdict;
}

type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly errors: readonly { readonly message: string }[] };

/** Emits and loads the validators of one schema after another. Remove its folder at the end. */
export function createCompiler(documents: ReadonlyMap<string, JsonValue> = new Map()): {
  compile(schema: JsonSchema, draft?: Draft): Promise<Compiled>;
  remove(): void;
} {
  const folder = temporaryFolder();
  let modules = 0;
  const write = (path: string, source: string): void =>
    writeFileSync(join(folder.path, path), transformSync(source, { loader: 'ts' }).code);
  mkdirSync(join(folder.path, 'support'));
  mkdirSync(join(folder.path, 'out'));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  for (const name of readdirSync(SUPPORT).filter((each) => each.endsWith('.ts'))) {
    write(`support/${name.replace(/ts$/, 'js')}`, readFileSync(join(SUPPORT, name), 'utf8'));
  }
  return {
    async compile(schema, draft = '2020-12') {
      modules += 1;
      const path = `out/${modules}.js`;
      write(path, emitValidators(protocolOf(schema, draft, documents)));
      const module = (await import(pathToFileURL(join(folder.path, path)).href)) as {
        isIt: Compiled['is'];
        validateIt: Compiled['validate'];
      };
      return { is: module.isIt, validate: module.validateIt };
    },
    remove: () => folder.remove(),
  };
}

function protocolOf(
  schema: JsonSchema,
  draft: Draft,
  documents: ReadonlyMap<string, JsonValue>,
): Protocol {
  let names = 0;
  const reading = new Reading(schema, {
    draft,
    documents,
    depth: 100,
    nameOf: () => `Part${(names += 1)}`,
  });
  reading.define('It');
  const none = { requests: [], notifications: [], addedResults: [], errors: [], metaKeys: [] };
  return { name: 'test', definitions: [...reading.finish().values()], ...none };
}
