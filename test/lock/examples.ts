import type { Schema } from './places.js';

/** Schemas as libraries write them: Zod, pydantic, and authors of plain JSON Schema. */
export const EXAMPLES: readonly Schema[] = [
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The file.' },
      head: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      mode: { type: 'string', enum: ['text', 'binary', 'auto'], default: 'auto' },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { oldText: { type: 'string' }, newText: { type: 'string', maxLength: 100 } },
          required: ['oldText', 'newText'],
          additionalProperties: false,
        },
      },
    },
    required: ['path'],
    additionalProperties: false,
  },
  {
    type: 'object',
    title: 'searchArguments',
    properties: {
      query: { title: 'Query', type: 'string', minLength: 2, maxLength: 40 },
      limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, title: 'Limit' },
      filter: { $ref: '#/$defs/Filter' },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 4, title: 'Tags' },
    },
    required: ['query', 'filter'],
    $defs: {
      Filter: {
        type: 'object',
        properties: {
          kind: { enum: ['any', 'all'], type: 'string' },
          score: { type: 'number', minimum: 0, maximum: 1 },
          children: { type: 'array', items: { $ref: '#/$defs/Filter' } },
        },
        required: ['kind'],
      },
    },
  },
  {
    type: 'object',
    properties: {
      entities: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            observations: { type: 'array', items: { type: 'string' } },
            weights: { type: 'object', additionalProperties: { type: 'number' } },
          },
          required: ['name', 'observations'],
        },
      },
      when: { type: 'string', format: 'date-time' },
      id: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
      flag: { type: 'boolean' },
    },
    required: ['entities'],
  },
];
