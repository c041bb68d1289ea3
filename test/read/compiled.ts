import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import type * as z from 'zod';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { namedParts } from '../../generator/emit/parts.js';
import { emitZod } from '../../generator/emit/zod/emit-zod.js';
import type { Protocol } from '../../generator/ir/index.js';
import { type Draft, type JsonSchema, type JsonValue, Reading } from '../../json-schema/index.js';
import { readSupport } from '../../generator/read/load/index.js';
import { temporaryFolder } from '../support/stores.js';

interface Options {
  readonly formats?: boolean;
}

/** The functions that are emitted for one schema. */
export interface Compiled {
  readonly is: (value: unknown, options?: Options) => boolean;
  readonly validate: (value: unknown, options?: Options) => Verdict;
  /** Loads what is emitted for Zod; its schemas assert formats. */
  readonly zod: () => Promise<(value: unknown) => boolean>;
  /** Its schema. */
  readonly schema: () => Promise<z.ZodType>;
}

type Verdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly errors: readonly { readonly pointer: string; readonly message: string }[];
    };

interface Validators {
  readonly isIt: Compiled['is'];
  readonly validateIt: Compiled['validate'];
}

export interface Modules {
  readonly validators: Readonly<Record<string, (value: unknown) => unknown>>;
  readonly zod: Readonly<Record<string, z.ZodType>>;
}

interface Schemas {
  readonly ItSchema: z.ZodType;
}

/** Emits and loads the validators of one schema after another. Remove its folder at the end. */
export function createCompiler(documents: ReadonlyMap<string, JsonValue> = new Map()): {
  compile(schema: JsonSchema, draft?: Draft): Promise<Compiled>;
  /** Loads the source of a module that imports `../support/`. */
  load(source: string): Promise<object>;
  /** Loads what is emitted for a protocol: the exports of its validators and of its Zod schemas. */
  modules(protocol: Protocol): Promise<Modules>;
  remove(): void;
} {
  const folder = temporaryFolder();
  let modules = 0;
  const write = (path: string, source: string): void =>
    writeFileSync(join(folder.path, path), transformSync(source, { loader: 'ts' }).code);
  mkdirSync(join(folder.path, 'support'));
  mkdirSync(join(folder.path, 'out'));
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  for (const [name, text] of readSupport()) write(`support/${name.replace(/ts$/, 'js')}`, text);
  const load = async (source: string, name: string): Promise<object> => {
    const path = `${name}.js`;
    write(path, source);
    return (await import(pathToFileURL(join(folder.path, path)).href)) as object;
  };
  return {
    load: (source) => load(source, `out/${(modules += 1)}`),
    async modules(protocol) {
      const number = (modules += 1);
      mkdirSync(join(folder.path, String(number)));
      const validators = await load(emitValidators(protocol), `${number}/validators`);
      return {
        validators: validators as Modules['validators'],
        zod: (await load(emitZod(protocol), `${number}/zod`)) as Modules['zod'],
      };
    },
    async compile(schema, draft = '2020-12') {
      const number = (modules += 1);
      const protocol = protocolOf(schema, draft, documents);
      const loadAs = async <T>(name: string, source: string): Promise<T> =>
        (await load(source, `${number}/${name}`)) as T;
      const zod = async (): Promise<z.ZodType> =>
        (await loadAs<Schemas>('zod', emitZod(protocol))).ItSchema;
      mkdirSync(join(folder.path, String(number)));
      const { isIt, validateIt } = await loadAs<Validators>('validators', emitValidators(protocol));
      return {
        is: isIt,
        validate: validateIt,
        zod: async () => {
          const schema = await zod();
          return (value) => schema.safeParse(value).success;
        },
        schema: zod,
      };
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
  return namedParts({ name: 'test', definitions: [...reading.finish().values()], ...none });
}
