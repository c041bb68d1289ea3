import { choice, closed, flag, list, named, object, text, tool, whole } from './schema.js';
import type { Schema, ToolSchema } from './schema.js';

const identifier = named('Identifier', '^[A-Za-z_][A-Za-z0-9_$]{0,62}$', 'customers');
const scalar: Schema = { type: ['string', 'number', 'boolean', 'null'] };

/** Conditions of a query, nested. */
const condition: Schema = {
  oneOf: [
    object(
      {
        column: { $ref: '#/$defs/identifier' },
        operator: { enum: ['=', '!=', '<', '<=', '>', '>=', 'like', 'ilike'] },
        value: scalar,
      },
      ['column', 'operator', 'value'],
      closed,
    ),
    object(
      {
        column: { $ref: '#/$defs/identifier' },
        operator: { enum: ['in', 'not in'] },
        values: list(scalar, { minItems: 1, maxItems: 1000 }),
      },
      ['column', 'operator', 'values'],
      closed,
    ),
    object({ and: list({ $ref: '#/$defs/condition' }, { minItems: 1 }) }, ['and'], closed),
    object({ or: list({ $ref: '#/$defs/condition' }, { minItems: 1 }) }, ['or'], closed),
  ],
};
const $defs = { identifier, condition };

const column = object(
  {
    name: { $ref: '#/$defs/identifier' },
    type: {
      enum: ['text', 'integer', 'bigint', 'numeric', 'boolean', 'timestamptz', 'jsonb', 'uuid'],
    },
    nullable: flag('Whether null is allowed', true),
    unique: flag('Whether values are unique'),
    default: scalar,
    references: object(
      { table: { $ref: '#/$defs/identifier' }, column: { $ref: '#/$defs/identifier' } },
      ['table', 'column'],
      closed,
    ),
  },
  ['name', 'type'],
  closed,
);

/** As servers of databases and search indexes have them. */
export const DATABASE_TOOLS: readonly ToolSchema[] = [
  tool('query', { sql: text('A SELECT', { minLength: 1 }), params: list(scalar) }, ['sql'], closed),
  tool(
    'select_rows',
    {
      table: { $ref: '#/$defs/identifier' },
      columns: list({ $ref: '#/$defs/identifier' }, { uniqueItems: true }),
      where: { $ref: '#/$defs/condition' },
      orderBy: list(
        object(
          { column: { $ref: '#/$defs/identifier' }, direction: choice('Direction', 'asc', 'desc') },
          ['column'],
        ),
      ),
      limit: whole('Most rows', { minimum: 1, maximum: 10000, default: 100 }),
      offset: whole('Rows to skip', { minimum: 0, default: 0 }),
    },
    ['table'],
    { $defs, additionalProperties: false },
  ),
  tool(
    'insert_rows',
    {
      table: { $ref: '#/$defs/identifier' },
      rows: list(
        { type: 'object', additionalProperties: scalar, minProperties: 1 },
        { minItems: 1, maxItems: 1000 },
      ),
      onConflict: choice('On a conflict', 'error', 'ignore', 'update'),
      returning: list({ $ref: '#/$defs/identifier' }),
    },
    ['table', 'rows'],
    { $defs, additionalProperties: false },
  ),
  tool(
    'create_table',
    {
      name: { $ref: '#/$defs/identifier' },
      schema: { $ref: '#/$defs/identifier' },
      columns: list(column, { minItems: 1, maxItems: 1600 }),
      primaryKey: list({ $ref: '#/$defs/identifier' }, { minItems: 1 }),
      ifNotExists: flag('Keep an existing table'),
      indexes: list(
        object({
          name: { $ref: '#/$defs/identifier' },
          columns: list({ $ref: '#/$defs/identifier' }, { minItems: 1 }),
          method: choice('Method', 'btree', 'hash', 'gin', 'gist', 'brin'),
          unique: flag('Unique'),
        }),
      ),
    },
    ['name', 'columns'],
    { $defs },
  ),
  tool(
    'explain_query',
    {
      sql: text('A statement', { minLength: 1 }),
      analyze: flag('Run it'),
      format: choice('Form', 'text', 'json', 'yaml', 'xml'),
      hypotheticalIndexes: list(
        object(
          {
            table: identifier,
            columns: list(identifier),
            using: text('Method', { default: 'btree' }),
          },
          ['table', 'columns'],
        ),
      ),
    },
    ['sql'],
  ),
  tool(
    'find_documents',
    {
      database: text('Database', { minLength: 1 }),
      collection: text('Collection', { minLength: 1 }),
      filter: { type: 'object', additionalProperties: true },
      projection: { type: 'object', additionalProperties: { enum: [0, 1, true, false] } },
      sort: { type: 'object', additionalProperties: { enum: [1, -1] } },
      limit: whole('Most documents', { minimum: 1, maximum: 1000 }),
      responseBytesLimit: { type: 'number', default: 1048576 },
    },
    ['database', 'collection'],
  ),
  tool(
    'vector_search',
    {
      index: text('Index', { minLength: 1 }),
      vector: list({ type: 'number' }, { minItems: 8, maxItems: 4096 }),
      topK: whole('Results', { minimum: 1, maximum: 10000 }),
      namespace: text('Namespace'),
      filter: {
        type: 'object',
        additionalProperties: { anyOf: [scalar, list(scalar), { type: 'object' }] },
      },
      includeMetadata: flag('Metadata', true),
      includeValues: flag('Values'),
    },
    ['index', 'vector', 'topK'],
    closed,
  ),
  tool(
    'set_key',
    {
      key: text('Key', { minLength: 1, maxLength: 512 }),
      value: {},
      ttlSeconds: whole('Seconds', { exclusiveMinimum: 0 }),
      condition: choice('Condition', 'nx', 'xx'),
    },
    ['key', 'value'],
    closed,
  ),
];
