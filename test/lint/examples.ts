import type { Rule } from '../../generator/contracts/lint/index.js';

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

const many = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, at) => ({ ...GOOD, name: `draw_${at}` }));

const properties = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]));

/** Lists of tools that break a rule, each in its own way. */
export function brokenBy(rule: Rule): readonly (readonly unknown[])[] {
  switch (rule.check) {
    case 'tool-name':
      return [[{ ...GOOD, name: 'dräw' }], [{ ...GOOD, name: 'a.b/c' }], [{ ...GOOD, name: '' }]];
    case 'tool-name-length':
      return [[{ ...GOOD, name: 'x'.repeat(rule.most - (rule.prefix ?? 0)) }]];
    case 'tool-count':
      return [many(rule.most + 1)];
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
      const $schema = 'http://json-schema.org/draft-07/schema#';
      const output = { ...GOOD, outputSchema: { type: 'object', $schema } };
      return rule.of === 'input' ? [[withRoot({ $schema })]] : [[output]];
    }
    case 'earlier-form':
      return [
        [withProperty({ type: 'integer', minimum: 0, exclusiveMinimum: true })],
        [withProperty({ type: 'integer', maximum: 0, exclusiveMaximum: false })],
        [withProperty({ type: 'string', required: true })],
        [withProperty({ type: 'array', items: [{ type: 'string' }] })],
      ];
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
    case 'type':
      return rule.kind === 'list'
        ? [[withProperty({ type: ['string', 'null'] })]]
        : [[withProperty({})], [withProperty({ enum: ['a'] })]];
    case 'array-without-items':
      return [[withProperty({ type: 'array' })], [withProperty({ type: ['array', 'null'] })]];
    case 'object-without-properties':
      return [[{ ...GOOD, inputSchema: { type: 'object' } }]];
    case 'enum-type':
      return [[withProperty({ type: 'integer', enum: [1, 2] })]];
    case 'format':
      return [[withProperty({ type: 'string', format: 'regex' })]];
    case 'open-object':
      return [[withRoot({ additionalProperties: true })]];
    case 'optional-property':
      return [[withRoot({ required: [] })]];
    case 'depth':
      return [[{ ...GOOD, inputSchema: nested(rule.most + 1) }]];
    case 'property-count':
      return [[withRoot({ properties: properties(rule.most + 1) })]];
    case 'enum-count': {
      const values = Array.from({ length: rule.most + 1 }, (_, at) => `v${at}`);
      return [[withProperty({ type: 'string', enum: values })]];
    }
  }
}

/** A value that a keyword may have. */
function valueOf(name: string): unknown {
  if (/^(?:oneOf|anyOf|allOf|prefixItems)$/.test(name)) return [{ type: 'object' }];
  if (name === 'enum') return [{}];
  if (name === 'const') return 'a';
  if (name.startsWith('exclusive')) return 1;
  if (name === 'dependentRequired') return { a: ['b'] };
  if (/^(?:patternProperties|dependentSchemas)$/.test(name)) return { a: { type: 'string' } };
  return { type: 'object' };
}
