import fc from 'fast-check';
import type { JsonSchema } from '../../json-schema/index.js';

/** Texts that look like code, to detect missing quoting and renaming. */
export const TEXTS: readonly string[] = [
  '*/',
  '/*',
  '//',
  '*/*',
  'image/*',
  '/** @type {x} */',
  '`',
  '${',
  '`${globalThis.pwned = true}`',
  "'",
  '"',
  `'"`,
  '\\',
  "\\'",
  '\\u0027',
  '</script>',
  '<!--',
  '\u2028',
  '\u2029',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\t',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\udc00x',
  '\u{1f600}',
  '//# sourceMappingURL=x',
  '/* eslint-enable */',
  '// @ts-nocheck',
  'import x from "y";',
  'export default 1;',
  '(v, c) => v',
  'case "a":',
  '{@link types}',
  'é',
  'ﷺ',
  '',
  ' ',
  '-',
  '1',
  '01',
  '1e3',
  '-0',
  'a b',
  'a/b',
  'a~b',
  'a.b',
  '$1',
  '$&',
  '$$',
  '$',
  '_',
  'property__0',
  'property__1?: string',
  'export type Definition = {',
];

/** Words of the language, inherited names, and names that emitted code uses itself. */
export const WORDS: readonly string[] = [
  ...['class', 'default', 'enum', 'function', 'return', 'typeof', 'arguments', 'eval', 'await'],
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'prototype', 'then', 'length'],
];

/** Names that emitted code, its support modules or the language use, and a definition may have. */
export const NAMES: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'then', 'NaN'],
  ...['Array', 'Object', 'String', 'Number', 'Set', 'Map', 'Record', 'Promise', 'Error', 'JSON'],
  ...['Partial', 'Required', 'Pick', 'Math', 'Infinity', 'RegExp', 'Readonly', 'Symbol', 'Date'],
  ...['v', 'c', 'p', 'i', 'r', 'key', 'k', 'value', 'options', 'method', 'result', 'input', 'z'],
  ...['types', 'record', 'list', 'finite', 'whole', 'characters', 'nest', 'accepts', 'contextOf'],
  ...['ownMember', 'validation', 'reportOn', 'errorsOf', 'fail', 'at', 'within', 'anything'],
  ...['leaf', 'one', 'each', 'shape', 'deep', 'both', 'either', 'by', 'aString', 'absent'],
  ...['anInteger', 'aBoolean', 'anArray', 'onlyNull', 'oneOfThese', 'wire', 'judge', 'decode'],
  ...['ENVELOPES', 'NO_ID', 'fits', 'knows', 'explain', 'parse', 'byLength', 'matchesUri'],
  ...['loose', 'integer', 'codePoints', 'keepProto', 'LooseObject', 'StrictObject', 'Shape'],
  ...['Known', 'Field', 'Check', 'Context', 'Properties', 'Validation', 'ValidationError'],
  ...['ValidationOptions', 'Wire', 'Rule', 'Method', 'Messages', 'MessageTypes', 'Received'],
  ...['ReceivedAnswer', 'Rejected', 'WireOptions', 'Kind', 'Part', 'Judged', 'Report', 'Path'],
  ...['Party', 'Capability', 'RequestInfo', 'RequestMap', 'RequestMethod', 'NotificationMap'],
  ...['ErrorCode', 'ERROR_CODES', 'META_KEYS', 'PROTOCOL_VERSION', 'REQUESTS', 'NOTIFICATIONS'],
  ...['Request', 'Notification', 'Result', 'Message', 'ResultOf', 'A', 'AB', 'ASchema', 'Item'],
  ...['AOption1', 'AItem', 'Definition', 'Placeholder', 'property__0', '$', '_', '$defs', 'Uri'],
];

const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS, ...NAMES) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...TEXTS, ...WORDS), { minLength: 2, maxLength: 4 })
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);

/** The loader refuses one of them, and ajv cannot compile halves of surrogate pairs. */
const property = text.filter((name) => name !== '__proto__' && !/\p{Cs}/u.test(name));

const escaped = (source: string): string => source.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const PATTERNS: readonly string[] = [
  '/',
  '\\/',
  '[/]',
  '[/*]',
  '//',
  "'",
  '"',
  '`',
  '\n',
  '\u2028',
  '\\u{1f600}',
  '\ud800',
  '[\udc00]',
  '^$',
  '',
  '\\p{L}',
  '(?<name>a)\\k<name>',
  '</script>',
  '\\x27',
  '\\\\',
];

const pattern = fc.oneof(
  fc.constantFrom(...PATTERNS),
  text.map(escaped).filter((source) => {
    try {
      return new RegExp(source, 'u') instanceof RegExp;
    } catch {
      return false;
    }
  }),
);

const NUMBERS = [0, -0, 1, -1, 0.5, -1.5, 1e21, -1e21, 1e-7, 5e-324, 1.7976931348623157e308];
const INTEGERS = [Number.MAX_SAFE_INTEGER, 2 ** 63, 2 ** 53 + 2];
const number = fc.constantFrom(...NUMBERS, ...INTEGERS);
const constant = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false) },
);
const size = fc.nat({ max: 3 });

/** Without undefined members, because a keyword is never undefined. */
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(members, { requiredKeys: [] });

type Made = Exclude<JsonSchema, boolean>;
const made = (arbitrary: fc.Arbitrary<object>): fc.Arbitrary<Made> =>
  arbitrary as fc.Arbitrary<Made>;

/** A schema whose every text is one of the above; references lead to any of the definitions. */
function schema(names: readonly string[], depth: number): fc.Arbitrary<Made> {
  const leaf = made(
    fc.oneof(
      constant.map((value) => ({ const: value })),
      fc.array(constant, { minLength: 1, maxLength: 5 }).map((values) => ({ enum: values })),
      some({ pattern, minLength: size, maxLength: size }).map((limits) => ({
        type: 'string',
        ...limits,
      })),
      fc.constantFrom('byte', 'uri', 'uri-template').map((format) => ({ type: 'string', format })),
      some({ minimum: number, maximum: number }).map((limits) => ({ type: 'number', ...limits })),
      fc.constantFrom(
        {},
        { not: {} },
        { type: 'null' },
        { type: 'integer' },
        { type: ['string', 'integer'] },
      ),
    ),
  );
  if (depth === 0) return described(leaf);
  const inner = fc.oneof(
    schema(names, depth - 1),
    fc.constantFrom(...names).map((name) => ({ $ref: `#/$defs/${name}` })),
  );
  const object = fc
    .tuple(
      fc.dictionary(property, inner, { maxKeys: 4 }),
      fc.array(property, { maxLength: 2 }),
      fc.constantFrom(undefined, false, true, 'typed' as const),
      schema(names, 0),
    )
    .map(([properties, required, additional, value]) => ({
      type: 'object',
      properties: { ...properties },
      // Ajv treats a missing property named "" as present.
      required: [...new Set([...Object.keys(properties).slice(0, 1), ...required])].filter(Boolean),
      ...(additional !== undefined && {
        additionalProperties: additional === 'typed' ? value : additional,
      }),
    }));
  const compound = fc.oneof(
    { weight: 4, arbitrary: object },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, some({ minItems: size, maxItems: size }))
        .map(([items, limits]) => ({ type: 'array', items, ...limits })),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(schema(names, depth - 1), { minLength: 1, maxLength: 3 })
        .map((anyOf) => ({ anyOf })),
    },
    {
      weight: 1,
      arbitrary: fc.array(object, { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    },
  );
  return described(
    fc.oneof({ weight: 2, arbitrary: leaf }, { weight: 3, arbitrary: made(compound) }),
  );
}

function described(of: fc.Arbitrary<Made>): fc.Arbitrary<Made> {
  return fc
    .tuple(of, some({ description: text, title: text, default: constant }))
    .map(([each, words]): Made => ({ ...each, ...words }));
}

/** Requests, notifications and results by methods that are such texts. */
const messages: fc.Arbitrary<Record<string, Made>> = fc
  .tuple(fc.array(property, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([methods, whole]) => {
    const envelope = { jsonrpc: { const: '2.0' }, id: { type: ['string', 'integer'] } };
    const message = (method: string, name: string): [string, Made] => [
      name,
      {
        type: 'object',
        properties: { ...(whole && envelope), method: { const: method }, params: {} },
        required: [...(whole ? ['jsonrpc'] : []), 'method'],
      },
    ];
    const kinds = ['Request', 'Notification'] as const;
    const named = kinds.flatMap((kind) =>
      methods.map((method, index) => message(method, `M${String(index)}${kind}`)),
    );
    const rpc = (...required: string[]): Made => ({
      type: 'object',
      properties: { ...envelope, method: { type: 'string' }, result: {}, error: {} },
      required: ['jsonrpc', ...required],
    });
    const group = (kind: string): Made => ({
      anyOf: named
        .filter(([name]) => name.endsWith(kind))
        .map(([name]) => ({ $ref: `#/$defs/${name}` })),
    });
    return {
      ...Object.fromEntries(named),
      M0Result: { type: 'object', properties: { [methods[0] ?? '']: { const: methods[0] ?? '' } } },
      ClientRequest: group('Request'),
      ServerRequest: group('Request'),
      ClientNotification: group('Notification'),
      JSONRPCRequest: rpc('id', 'method'),
      JSONRPCNotification: rpc('method'),
      JSONRPCResultResponse: rpc('id', 'result'),
      JSONRPCErrorResponse: rpc('error'),
    };
  });

/** The definitions of a schema made of such names and texts. */
export const definitions: fc.Arbitrary<Record<string, Made>> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 7 }),
    fc.boolean(),
    messages,
  )
  .chain(([names, protocol, sent]) =>
    fc.tuple(...names.map(() => schema(names, 2))).map((schemas) => ({
      ...(protocol && sent),
      ...Object.fromEntries(names.map((name, index) => [name, schemas[index] as Made])),
    })),
  );
