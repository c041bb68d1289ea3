import { Validator } from '@cfworker/json-schema';
import { Ajv, MissingRefError } from 'ajv';
import type { Options } from 'ajv';
import Ajv04 from 'ajv-draft-04';
import addFormatsModule from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FORMAT_CHECKERS } from '../../generator/emit/formats.js';
import { type Draft, type Format, FORMATS, type JsonValue } from '../../json-schema/index.js';
import { absolute, UNNAMED } from '../../json-schema/read/resources.js';
import { metaschemas } from '../read/suite.js';

type Verdict = (value: unknown) => boolean;

/** ajv's verdicts on the places of one document, and those of another implementation where it differs from ours. */
export interface Oracle {
  /** @throws where ajv cannot compile the schema at the place. */
  at(pointer: string): Verdict;
  /** Undefined where the other implementation fails. */
  secondAt(pointer: string): (value: unknown) => boolean | undefined;
}

const OPTIONS: Options = {
  strict: false,
  validateSchema: false,
  ownProperties: true,
  logger: false,
  // Compiling takes the time here, not running.
  code: { optimize: false, regExp: Object.assign(regExp, { code: 'regExp' }) },
};

/** ajv compiles every pattern with the flag `u`, with which some are no regular expression. */
function regExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

/** Up to draft-07 a `$ref` stands alone. */
const OLD: Options = { ...OPTIONS, ignoreKeywordsWithRef: true };

const AJV: Readonly<Record<Draft, () => Ajv>> = {
  'draft-04': () => new Ajv04.default(OLD),
  'draft-06': () => new Ajv(OLD),
  'draft-07': () => new Ajv(OLD),
  '2019-09': () => new Ajv2019(OPTIONS),
  '2020-12': () => new Ajv2020(OPTIONS),
};

/** As the second opinion calls them. It has no draft-06, whose keywords mean the same in draft-07. */
const CALLED = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
} as const satisfies Record<Draft, string>;

// ajv-formats is CommonJS: its types name the function under `default`, which is also on the function.
const addFormats = addFormatsModule.default;

/** The formats with the verdict of ajv-formats. */
const OF_AJV = ['uri', 'uri-template', 'byte'] as const satisfies readonly Format[];

/**
 * The grammars of the other formats are those of the RFCs, which ajv-formats leaves. Other tests hold them against the
 * official suite; here the question is where they apply.
 */
const OURS = await Promise.all(
  FORMATS.filter((format) => !OF_AJV.some((each) => each === format)).map(async (format) => {
    const { module, name } = FORMAT_CHECKERS[format];
    const functions = (await import(`../../json-schema/portable/${module}.ts`)) as Readonly<
      Record<string, (text: string) => boolean>
    >;
    return [format, functions[name] ?? (() => true)] as const;
  }),
);
const METASCHEMAS = new Map(metaschemas());

/** `documents` are those that references lead to, by their URIs. */
export function createOracle(
  json: JsonValue,
  draft: Draft,
  documents: ReadonlyMap<string, JsonValue>,
): Oracle {
  const root = rootOf(json, draft);
  const ajv = AJV[draft]();
  addFormats(ajv, { formats: [...OF_AJV], keywords: false });
  for (const [format, validate] of OURS) ajv.addFormat(format, { type: 'string', validate });
  // ajv takes one object under several URIs, and not two with the same `$id`.
  const copies = new Map<JsonValue, JsonValue>();
  const add = (schema: JsonValue, uri: string): void => {
    const copy = copies.get(schema) ?? plain(schema, draft);
    copies.set(schema, copy);
    ajv.addSchema(copy as object, uri.replace(/#$/, ''));
  };
  // A document may be a metaschema that ajv has already.
  tryTo(() => add(json, root));
  const others = new Map([...METASCHEMAS].map(([uri, other]) => [uri.replace(/#$/, ''), other]));
  for (const [uri, other] of documents) others.set(uri, other);

  /** Adds the documents that ajv asks for, one after another. */
  function compile(schema: object): Verdict {
    for (let count = 0; ; count += 1) {
      try {
        return ajv.compile(schema);
      } catch (error) {
        if (!(error instanceof MissingRefError) || count > others.size) throw error;
        const uri = error.missingSchema;
        const found = others.get(uri) ?? others.get(absolute(uri, UNNAMED));
        if (found === undefined || !tryTo(() => (add(found, uri), true))) throw error;
      }
    }
  }

  return {
    at: (pointer) => compile({ $ref: `${root}#${encoded(pointer)}` }),
    secondAt(pointer) {
      const validator = new Validator({ $ref: `${root}#${encoded(pointer)}` }, CALLED[draft]);
      validator.addSchema(json as object, root);
      for (const [uri, other] of documents) tryTo(() => validator.addSchema(other as object, uri));
      return (value) => tryTo(() => validator.validate(value).valid);
    },
  };
}

/** The URI of a document, without a fragment. */
function rootOf(json: JsonValue, draft: Draft): string {
  const own = isRecord(json) ? json[draft === 'draft-04' ? 'id' : '$id'] : undefined;
  return new URL(typeof own === 'string' ? own : 'document', UNNAMED).href.replace(/#.*$/s, '');
}

/** Keywords with values that are no schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example']);

/**
 * Without what ajv throws at: a `$schema` that it does not know, because its class says the draft already, and the
 * `id` of draft-04 in later drafts, where it means nothing.
 */
function plain(json: JsonValue, draft: Draft): JsonValue {
  if (!isRecord(json)) return json;
  const { $schema: _, ...rest } = json;
  return draft === 'draft-04' ? rest : withoutId(rest);
}

function withoutId(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutId);
  if (!isRecord(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => key !== 'id' || typeof value !== 'string')
      .map(([key, value]) => [key, DATA.has(key) ? value : withoutId(value)]),
  );
}

const isRecord = (json: JsonValue): json is { [key: string]: JsonValue } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** A JSON pointer in the fragment of a URI. */
function encoded(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/');
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
