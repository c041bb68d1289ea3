import type { Rule, Total } from '../../contracts/lint/index.js';

/** A tool that every host takes. */
export const GOOD = {
  name: 'draw',
  description: 'Draws a shape.',
  inputSchema: {
    type: 'object',
    properties: { size: { type: 'number', minimum: 1 } },
    required: ['size'],
    additionalProperties: false,
  },
} as const;

type Json = Readonly<Record<string, unknown>>;

/** The good tool with another property. */
const withProperty = (schema: Json): Json => ({
  ...GOOD,
  inputSchema: { ...GOOD.inputSchema, properties: { size: schema } },
});

/** The good tool with more at the root of its schema. */
const withRoot = (more: Json): Json => ({ ...GOOD, inputSchema: { ...GOOD.inputSchema, ...more } });

function nested(levels: number): Json {
  return levels === 0
    ? { type: 'string' }
    : {
        type: 'object',
        properties: { next: nested(levels - 1) },
        required: ['next'],
        additionalProperties: false,
      };
}

const properties = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]));

/** Lists of tools that break a rule, each in its own way. */
export function brokenBy(rule: Rule): readonly (readonly unknown[])[] {
  switch (rule.check) {
    case 'tool-name':
      return namesAgainst(rule.pattern).map((name) => [{ ...GOOD, name }]);
    case 'tool-name-length':
      return [[{ ...GOOD, name: 'x'.repeat(rule.most - (rule.prefix ?? 0)) }]];
    case 'double-name':
      return [[GOOD, GOOD]];
    case 'empty-description':
      return [[{ ...GOOD, description: '' }]];
    case 'description-length':
      return [[{ ...GOOD, description: 'x'.repeat(rule.most + 1) }]];
    case 'property-name':
      return ['$x', 'ä', 'a b', 'x'.repeat(65), ''].map((name) => [
        withRoot({ properties: { [name]: { type: 'string' } } }),
      ]);
    case 'root-keyword':
      return rule.names.map((name) => [withRoot({ [name]: valueOf(name) })]);
    case 'keyword':
      return rule.names.map((name) => [withProperty({ type: 'object', [name]: valueOf(name) })]);
    case 'draft': {
      const $schema = DRAFTS.find((uri) => !rule.accepts.includes(uri));
      const output = { ...GOOD, outputSchema: { type: 'object', $schema } };
      return rule.of === 'input' ? [[withRoot({ $schema })]] : [[output]];
    }
    case 'earlier-form': {
      const $schema = DRAFTS[0];
      const items = [{ type: 'string' }];
      return [[withRoot({ $schema, properties: { size: { type: 'array', items } } })]];
    }
    case 'schema':
      return [
        ...[null, 'object', 3].map((inputSchema) => [{ ...GOOD, inputSchema }]),
        [{ name: 'draw', description: 'Draws a shape.' }],
        ...['any', 'int', 3, []].map((type) => [withProperty({ type })]),
        [withProperty({ type: 'string', pattern: '^[a-z' })],
        [withProperty({ $ref: '#/$defs/Box' })],
        [withProperty({ properties: { type: 'string' } })],
        [withRoot({ required: 'size' })],
        [{ ...GOOD, outputSchema: { type: 'object', properties: { kind: { type: 'strng' } } } }],
      ];
    case 'root-type':
      return rule.of === 'input'
        ? [[withRoot({ type: 'array' })], [withRoot({ type: ['object', 'null'] })]]
        : [[{ ...GOOD, outputSchema: { type: 'array', items: { type: 'string' } } }]];
    case 'reference':
      return [
        [withRoot({ properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } })],
        [withRoot({ properties: { next: { $ref: '#' } } })],
      ];
    case 'boolean-schema':
      return [
        [withRoot({ properties: { size: true } })],
        [withRoot({ properties: { size: false } })],
      ];
    case 'required-undefined':
      return [
        [withRoot({ required: ['size', 'zip'] })],
        [withProperty({ required: ['a'], properties: {} })],
      ];
    case 'properties-of-other-type':
      return [
        [withProperty({ type: 'string', properties: {} })],
        [withProperty({ type: ['array', 'null'], required: ['a'] })],
      ];
    case 'pattern':
      return [
        '^(?!tmp)[a-z]+$',
        '^(a)\\1$',
        '^a(?<=b)$',
        '^(?<year>a)\\k<year>$',
        '^[a](?:(?!b)c)*$',
        ...(rule.engine === 'llama' ? ['a'] : []),
      ].map((pattern) => [withProperty({ type: 'string', pattern })]);
    case 'type': {
      const list = { type: ['string', 'null'] };
      if (rule.kind === 'list-as-items') return [[withProperty({ type: 'array', items: list })]];
      return rule.kind === 'list'
        ? [[withProperty(list)]]
        : [[withProperty({})], [withProperty({ enum: ['a'] })]];
    }
    case 'array-without-items':
      return [[withProperty({ type: 'array' })], [withProperty({ type: ['array', 'null'] })]];
    case 'object-without-properties':
      return [[{ ...GOOD, inputSchema: { type: 'object' } }]];
    case 'enum-value':
      return rule.refuses === 'empty'
        ? [[withProperty({ type: 'string', enum: ['a', ''] })]]
        : [[withProperty({ type: 'integer', enum: [1, 2] })]];
    case 'enum-of-array':
      return [[withProperty({ type: 'array', items: { type: 'integer' }, enum: [[1]] })]];
    case 'format':
      return [[withProperty({ type: 'string', format: 'regex' })]];
    case 'open-object':
      return [[withRoot({ additionalProperties: true })]];
    case 'optional-property':
      return [[withRoot({ required: [] })]];
    case 'depth':
      return [[{ ...GOOD, inputSchema: nested(rule.most + 1) }]];
    case 'total':
      return [[totalling(rule.what, rule.most + 1)]];
  }
}

/** Lists of tools that a rule must not find, because they are near to what it finds. */
export function passing(rule: Rule): readonly (readonly unknown[])[] {
  switch (rule.check) {
    case 'tool-name':
      return [[{ ...GOOD, name: '_' }], [{ ...GOOD, name: `a${'9'.repeat(63)}` }]];
    case 'tool-name-length':
      return [[{ ...GOOD, name: 'x'.repeat(rule.most - (rule.prefix ?? 0) - 1) }]];
    case 'double-name':
      return [[GOOD, { ...GOOD, name: 'Draw' }]];
    case 'description-length':
      return [[{ ...GOOD, description: 'x'.repeat(rule.most) }]];
    case 'empty-description':
      return [[{ name: GOOD.name, inputSchema: GOOD.inputSchema }]];
    case 'property-name':
      return [
        [withRoot({ properties: { 'a.b-c_9': { type: 'string', properties: { $x: {} } } } })],
      ];
    case 'root-keyword':
      return rule.names.map((name) => [withProperty({ [name]: valueOf(name) })]);
    case 'keyword':
      return rule.names.map((name) => [
        withRoot({ properties: { [name]: { type: 'string', description: name } } }),
      ]);
    case 'draft':
      return [
        [GOOD],
        ...rule.accepts.map(($schema) => [
          { ...withRoot({ $schema }), outputSchema: { type: 'object', $schema } },
        ]),
        // Only the one of the two schemas is meant.
        [
          rule.of === 'output'
            ? withRoot({ $schema: DRAFTS[0] })
            : { ...GOOD, outputSchema: { type: 'object', $schema: DRAFTS[1] } },
        ],
      ];
    case 'earlier-form':
      return [[withRoot({ $schema: DRAFTS[0] })], [withProperty({ prefixItems: [{}] })]];
    case 'schema':
      return [
        [withRoot({ $schema: DRAFTS[0], properties: { size: { items: [true] } } })],
        [withProperty({ $ref: '#/$defs/Box' })].map((tool) => ({
          ...tool,
          inputSchema: { ...(tool['inputSchema'] as Json), $defs: { Box: {} } },
        })),
        [withProperty({ pattern: '[\\w\\-.]' })],
        [{ ...GOOD, outputSchema: { type: 'array' } }],
      ];
    case 'root-type':
      return rule.of === 'input'
        ? [[{ ...GOOD, inputSchema: { type: 'object' } }], [{ ...GOOD, outputSchema: {} }]]
        : [[GOOD], [{ ...GOOD, outputSchema: { type: 'object' } }]];
    case 'reference':
      return [
        [withRoot({ properties: { $ref: { type: 'string' } } })],
        [withRoot({ $defs: { A: {} } })],
      ];
    case 'boolean-schema':
      return [
        [withRoot({ additionalProperties: true })],
        [withProperty({ type: 'array', items: true })],
      ];
    case 'required-undefined':
      return [
        [withRoot({ required: ['size'] })],
        // A part may require what the whole describes.
        [withProperty({ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }] })],
      ];
    case 'properties-of-other-type':
      return [
        [withProperty({ type: ['object', 'null'], properties: {} })],
        [withProperty({ properties: { type: { type: 'string' } } })],
      ];
    case 'pattern':
      return [
        ...['^[a-z]+$', '^(?:a|b)$', '^(?<year>a)\\(?=$', '^\\\\(a)$'],
        // In a set of characters nothing looks around.
        ...['^[(?=]+$', '^[(?<!]$', '^[\\x31]$'],
      ].map((pattern) => [withProperty({ type: 'string', pattern })]);
    case 'type':
      return rule.kind === 'missing'
        ? [[withProperty({ anyOf: [{ type: 'string' }, { type: 'null' }] })]]
        : [
            [withProperty({ type: 'array', items: { type: 'string' } })],
            [withRoot({ properties: { type: { type: 'string' } } })],
          ];
    case 'array-without-items':
      return [[withProperty({ type: 'array', items: {} })]];
    case 'object-without-properties':
      return [
        [{ ...GOOD, inputSchema: { type: 'object', properties: {} } }],
        [withProperty({ type: 'object' })],
      ];
    case 'enum-value':
      return [[withProperty({ type: 'string', enum: ['a', ' '] })], [withProperty({ const: 'a' })]];
    case 'enum-of-array':
      return [[withProperty({ type: 'array', items: { type: 'integer', enum: [1] } })]];
    case 'format':
      return rule.accepts.map((format) => [withProperty({ type: 'string', format })]);
    case 'open-object':
      return [[withProperty({ type: 'object', properties: {}, additionalProperties: false })]];
    case 'optional-property':
      return [[GOOD]];
    case 'depth':
      return [[{ ...GOOD, inputSchema: nested(rule.most - 1) }]];
    case 'total':
      return [[totalling(rule.what, rule.most)]];
  }
}

/** The good tool with as many as can be counted. */
function totalling(what: Total, count: number): Json {
  const texts = (length: number, each = 'v'): string[] =>
    Array.from({ length }, (_, at) => `${each}${at}`);
  switch (what) {
    case 'properties':
      return withRoot({ properties: properties(count) });
    case 'enum-values':
      return withProperty({ type: 'string', enum: texts(count) });
    case 'name-characters':
      return withProperty({ type: 'string', enum: ['x'.repeat(count - 'size'.length)] });
    case 'enum-characters': {
      const others = texts(250, 'v00').map((text) => text.slice(-4));
      const rest = count - others.join('').length;
      return withProperty({ type: 'string', enum: [...others, 'x'.repeat(rest)] });
    }
  }
}

const DRAFTS = [
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2020-12/schema',
];

/** Names that do not match the pattern of a rule. */
function namesAgainst(pattern: string): string[] {
  const names = ['', 'dräw', 'a.b/c', '7zip_list', 'x'.repeat(129)];
  return names.filter((name) => !new RegExp(pattern, 'u').test(name));
}

/** A value that a keyword may have. */
function valueOf(name: string): unknown {
  if (/^(?:oneOf|anyOf|allOf|prefixItems)$/.test(name)) return [{ type: 'object' }];
  if (name === 'enum') return [{}];
  if (name === 'const') return 'a';
  if (name === 'uniqueItems') return true;
  if (name === 'multipleOf') return 2;
  if (name.startsWith('exclusive')) return 1;
  if (name === 'dependentRequired') return { a: ['b'] };
  if (/^(?:patternProperties|dependentSchemas)$/.test(name)) return { a: { type: 'string' } };
  return { type: 'object' };
}
