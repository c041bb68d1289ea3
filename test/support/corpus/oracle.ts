import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { definitionOf, definitionsOf, referenceTo, sectionOf } from './document.js';
import type { Schema, SchemaDocument } from './document.js';

export interface Oracle {
  /** Names of the document's definitions, in its order. */
  readonly definitions: readonly string[];
  /** Ajv's verdict on the value. @throws when there is no such definition. */
  accepts(definition: string, value: unknown): boolean;
  /** A check by a schema that stands in for a definition: its references lead to the document's. */
  variant(schema: Schema): (value: unknown) => boolean;
}

export interface OracleOptions {
  /** Whether `format` is asserted, as ajv-formats does, or only an annotation. */
  readonly formats: boolean;
}

const documentId = 'corpus:document';
// ajv-formats is CommonJS: its types name the function under `default`, which is also on the function.
const addFormats = addFormatsModule.default;

/**
 * Ajv, as judge over one schema document: draft-07 with `definitions`, 2020-12 with `$defs`.
 *
 * Facts about ajv (`test/support/corpus.test.ts` holds it to it):
 * - `integer` is a finite number whose remainder by 1 is 0: `1e21` and `5.0` are, `1.5` is not.
 * - An own `__proto__` key, as `JSON.parse` makes one, is a key like any other: a typed
 *   `additionalProperties` and `propertyNames` check it, `additionalProperties: false` refuses it.
 *   Only in a schema is the name special: `properties: { ["__proto__"]: … }` is not read, and its
 *   key then counts as an additional one.
 * - Inherited keys: left to itself ajv reads `value.key`, so `required: ["toString"]` holds for
 *   `{}` and enumerable inherited keys are visited. With `ownProperties`, as here, neither. On
 *   parsed JSON the two differ only for schemas that name members of `Object.prototype`; no
 *   revision does.
 * - A member that is `undefined` counts as missing for `required` and `properties`, yet is visited
 *   by `additionalProperties`. JSON has no such member, so the corpus has none.
 * - `byte` matches line by line: one line of valid base64, even an empty one, is enough.
 */
export function createOracle(document: SchemaDocument, { formats }: OracleOptions): Oracle {
  const options: Options = {
    strict: false,
    allErrors: false,
    ownProperties: true,
    validateFormats: formats,
    logger: false,
    // Compiling takes the time here, not running.
    code: { optimize: false },
  };
  const ajv = sectionOf(document) === '$defs' ? new Ajv2020(options) : new Ajv(options);
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: documentId });

  const compiled = new Map<string, (value: unknown) => boolean>();
  const compile = (definition: string): ((value: unknown) => boolean) => {
    definitionOf(document, definition);
    return ajv.compile({ $ref: documentId + referenceTo(document, definition) });
  };
  return {
    definitions: Object.keys(definitionsOf(document)),
    accepts(definition, value) {
      let validate = compiled.get(definition);
      if (validate === undefined) compiled.set(definition, (validate = compile(definition)));
      return validate(value);
    },
    variant(schema) {
      const absolute = JSON.parse(
        JSON.stringify(schema, (key, value: unknown) =>
          key === '$ref' && typeof value === 'string' ? documentId + value : value,
        ),
      ) as object;
      return ajv.compile(absolute);
    },
  };
}
