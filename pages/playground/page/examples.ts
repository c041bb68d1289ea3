import { DIALECT_REVISIONS } from '../../../generator/ir/revisions/index.js';

const CALL = { name: 'search', arguments: { query: 'tea' } };

/** A recording with one mistake: the second call has no name. */
export const MESSAGES_EXAMPLE = [
  [
    'client',
    { id: 1, method: 'initialize', params: initialize({ clientInfo: info('example-client') }) },
  ],
  [
    'server',
    {
      id: 1,
      result: initialize({ serverInfo: info('example-server'), capabilities: { tools: {} } }),
    },
  ],
  ['client', { method: 'notifications/initialized' }],
  ['client', { id: 2, method: 'tools/call', params: CALL }],
  ['server', { id: 2, result: { content: [{ type: 'text', text: '3 kinds of tea' }] } }],
  ['client', { id: 3, method: 'tools/call', params: { arguments: {} } }],
]
  .map(([from, message]) =>
    JSON.stringify({ from, message: { jsonrpc: '2.0', ...(message as object) } }),
  )
  .join('\n');

function initialize(more: object): object {
  return { protocolVersion: DIALECT_REVISIONS.core, capabilities: {}, ...more };
}

function info(name: string): object {
  return { name, version: '1.0.0' };
}

export const SCHEMA_EXAMPLE = JSON.stringify(
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Order',
    description: 'What a customer wants.',
    type: 'object',
    properties: {
      tea: { enum: ['green', 'black', 'white'] },
      grams: { type: 'integer', minimum: 50, maximum: 1000 },
      gift: { $ref: '#/$defs/Gift' },
    },
    required: ['tea', 'grams'],
    additionalProperties: false,
    $defs: { Gift: { type: 'object', properties: { card: { type: 'string', maxLength: 200 } } } },
  },
  undefined,
  2,
);

export const VALUE_EXAMPLE = '{ "tea": "green", "grams": 20 }';
