import { type Draft, DRAFTS } from '../draft.js';
import { type JsonValue } from '../model.js';
import type { JsonObject } from '../json.js';

type Properties = Readonly<Record<string, JsonValue>>;

/** How a metaschema says "a schema": what its keywords take. */
interface Words {
  readonly schema: JsonObject;
  readonly schemas: JsonValue;
  readonly map: JsonValue;
  readonly schemaOrList: JsonValue;
  readonly schemasOrNames: JsonValue;
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const STRING = { type: 'string' };
const NUMBER = { type: 'number' };
const FLAG = { type: 'boolean' };
const COUNT = { type: 'integer', minimum: 0 };
const URI = { type: 'string', format: 'uri' };
const REFERENCE = { type: 'string', format: 'uri-reference' };
const PATTERN = { type: 'string', format: 'regex' };
const LIST = { type: 'array' };
const NAMES = { type: 'array', items: STRING, uniqueItems: true };
const SOME_NAMES = { ...NAMES, minItems: 1 };
const SOME_VALUES = { ...LIST, minItems: 1, uniqueItems: true };
const ANCHOR = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' };
const ID = { ...REFERENCE, pattern: '^[^#]*#?$' };
const TYPE = {
  anyOf: [
    { enum: TYPES },
    { type: 'array', items: { enum: TYPES }, minItems: 1, uniqueItems: true },
  ],
};
const VOCABULARY = { type: 'object', propertyNames: URI, additionalProperties: FLAG };

function wordsOf(schema: JsonObject, names: JsonValue = NAMES): Words {
  const schemas = { type: 'array', minItems: 1, items: schema };
  return {
    schema,
    schemas,
    map: { type: 'object', additionalProperties: schema },
    schemaOrList: { anyOf: [schema, schemas] },
    schemasOrNames: { type: 'object', additionalProperties: { anyOf: [schema, names] } },
  };
}

const each = (value: JsonValue, names: string): Properties =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

const described: Properties = { title: STRING, description: STRING, default: {} };
const sized = each(COUNT, 'maxLength minLength maxItems minItems maxProperties minProperties');
const limited: Properties = {
  multipleOf: { ...NUMBER, exclusiveMinimum: 0 },
  ...each(NUMBER, 'maximum exclusiveMaximum minimum exclusiveMinimum'),
};

const logic = ({ schemas, schema }: Words): Properties => ({
  ...each(schemas, 'allOf anyOf oneOf'),
  not: schema,
});
const conditions = ({ schema }: Words): Properties => each(schema, 'if then else');
const objects = ({ schema, map }: Words): Properties => ({
  additionalProperties: schema,
  properties: map,
  patternProperties: { ...(map as JsonObject), propertyNames: { format: 'regex' } },
});

/** What other schemas refer to in the metaschemas, beside their keywords. */
const counts = (name: 'positiveInteger' | 'nonNegativeInteger'): Properties => ({
  [name]: COUNT,
  [`${name}Default0`]: COUNT,
  simpleTypes: { enum: TYPES },
});

/** A metaschema of one document. */
function whole(draft: 'draft-04' | 'draft-06' | 'draft-07'): JsonObject {
  const uri = `http://json-schema.org/${draft}/schema#`;
  const isOldest = draft === 'draft-04';
  const words = wordsOf({ $ref: '#' }, isOldest ? SOME_NAMES : NAMES);
  const properties: Properties = {
    ...described,
    ...sized,
    ...limited,
    ...objects(words),
    ...logic(words),
    [isOldest ? 'id' : '$id']: isOldest ? STRING : REFERENCE,
    $schema: isOldest ? STRING : URI,
    items: words.schemaOrList,
    additionalItems: words.schema,
    definitions: words.map,
    dependencies: words.schemasOrNames,
    uniqueItems: FLAG,
    required: NAMES,
    enum: SOME_VALUES,
    type: TYPE,
    pattern: PATTERN,
    format: STRING,
    ...(isOldest ? only04(words) : since06(words)),
    ...(draft === 'draft-07' && {
      ...conditions(words),
      ...each(STRING, '$comment contentMediaType contentEncoding'),
      readOnly: FLAG,
    }),
  };
  const definitions = {
    schemaArray: words.schemas,
    ...counts(isOldest ? 'positiveInteger' : 'nonNegativeInteger'),
    stringArray: isOldest ? SOME_NAMES : NAMES,
  };
  return isOldest
    ? { id: uri, $schema: uri, definitions, type: 'object', properties, dependencies: FLAGS_04 }
    : { $id: uri, $schema: uri, definitions, type: ['object', 'boolean'], properties };
}

const FLAGS_04 = { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] };

/** Its exclusive limits are flags, and some of its schemas may be booleans. */
const only04 = ({ schema }: Words): Properties => ({
  multipleOf: { ...NUMBER, minimum: 0, exclusiveMinimum: true },
  exclusiveMaximum: FLAG,
  exclusiveMinimum: FLAG,
  required: SOME_NAMES,
  additionalItems: { anyOf: [FLAG, schema] },
  additionalProperties: { anyOf: [FLAG, schema] },
  patternProperties: { type: 'object', additionalProperties: schema },
});

const since06 = ({ schema }: Words): Properties => ({
  $ref: REFERENCE,
  examples: LIST,
  contains: schema,
  propertyNames: schema,
  const: {},
});

/** The vocabularies of a draft that is divided into them. */
function vocabularies(draft: '2019-09' | '2020-12', words: Words): Record<string, Properties> {
  const { schema, schemas, map, schemaOrList } = words;
  const isNew = draft === '2020-12';
  const anchor = isNew ? ANCHOR : { type: 'string', pattern: '^[A-Za-z][-A-Za-z0-9.:_]*$' };
  const unevaluated = { unevaluatedItems: schema, unevaluatedProperties: schema };
  const format = { format: STRING };
  return {
    core: {
      $id: ID,
      $schema: URI,
      $anchor: anchor,
      $ref: REFERENCE,
      ...(isNew
        ? { $dynamicRef: REFERENCE, $dynamicAnchor: anchor }
        : { $recursiveRef: REFERENCE, $recursiveAnchor: FLAG }),
      $vocabulary: VOCABULARY,
      $comment: STRING,
      $defs: map,
    },
    applicator: {
      ...objects(words),
      ...logic(words),
      ...conditions(words),
      ...(isNew
        ? { prefixItems: schemas, items: schema }
        : { items: schemaOrList, additionalItems: schema, ...unevaluated }),
      contains: schema,
      dependentSchemas: map,
      propertyNames: schema,
    },
    ...(isNew && { unevaluated }),
    validation: {
      ...limited,
      ...sized,
      pattern: PATTERN,
      uniqueItems: FLAG,
      maxContains: COUNT,
      minContains: COUNT,
      required: NAMES,
      dependentRequired: { type: 'object', additionalProperties: NAMES },
      const: {},
      enum: LIST,
      type: TYPE,
    },
    'meta-data': { ...described, ...each(FLAG, 'deprecated readOnly writeOnly'), examples: LIST },
    ...(isNew ? { 'format-annotation': format, 'format-assertion': format } : { format }),
    content: { contentMediaType: STRING, contentEncoding: STRING, contentSchema: schema },
  };
}

/** The same in the vocabularies, by their names. */
function partsToRefer(
  draft: '2019-09' | '2020-12',
  { schemas }: Words,
): Record<string, Properties> {
  return {
    applicator: { schemaArray: schemas },
    validation: { ...counts('nonNegativeInteger'), stringArray: NAMES },
    ...(draft === '2020-12' && {
      core: { anchorString: ANCHOR, uriString: URI, uriReferenceString: REFERENCE },
    }),
  };
}

/** A metaschema that is divided into vocabularies, with these. */
function divided(draft: '2019-09' | '2020-12'): JsonObject[] {
  const isNew = draft === '2020-12';
  const base = `https://json-schema.org/draft/${draft}`;
  const words = wordsOf(isNew ? { $dynamicRef: '#meta' } : { $recursiveRef: '#' });
  const parts = vocabularies(draft, words);
  const others = partsToRefer(draft, words);
  const document = (path: string, content: JsonObject): JsonObject => ({
    $id: `${base}/${path}`,
    $schema: `${base}/schema`,
    ...(isNew ? { $dynamicAnchor: 'meta' } : { $recursiveAnchor: true }),
    type: ['object', 'boolean'],
    ...content,
  });
  const used = Object.keys(parts).filter((name) => name !== 'format-assertion');
  const schema = document('schema', {
    $vocabulary: Object.fromEntries(
      used.map((name) => [`${base}/vocab/${name}`, name !== 'format']),
    ),
    allOf: used.map((name) => ({ $ref: `meta/${name}` })),
    properties: {
      definitions: words.map,
      dependencies: words.schemasOrNames,
      ...(isNew && {
        $recursiveAnchor: (parts['core'] as Properties)['$anchor'] ?? true,
        $recursiveRef: REFERENCE,
      }),
    },
  });
  return [
    schema,
    ...Object.entries(parts).map(([name, properties]) =>
      document(`meta/${name}`, { properties, ...(others[name] && { $defs: others[name] }) }),
    ),
  ];
}

const documentsOf = (draft: Draft): JsonObject[] =>
  draft === '2019-09' || draft === '2020-12' ? divided(draft) : [whole(draft)];

/**
 * What the drafts say a schema is, by URI: references may lead there without another document. Made from facts,
 * because the files of the specification are not ours to copy.
 */
export function metaschemaAt(uri: string): JsonObject | undefined {
  return (known ??= byUri()).get(uri.replace(/^https:(?=\/\/json-schema\.org\/draft-)/, 'http:'));
}

let known: ReadonlyMap<string, JsonObject> | undefined;

function byUri(): ReadonlyMap<string, JsonObject> {
  const all = DRAFTS.flatMap(documentsOf);
  return new Map(all.map((json) => [uriOf(json), json]));
}

function uriOf(json: JsonObject): string {
  const uri = json['$id'] ?? json['id'];
  return typeof uri === 'string' ? uri.replace(/#$/, '') : '';
}
