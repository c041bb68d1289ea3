import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLock, printLock } from '../../contracts/lock/index.js';
import { temporaryFolder } from './support.js';

export const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      degrees: { type: 'number', minimum: -50, maximum: 50 },
      sky: { enum: ['clear', 'cloudy'] },
      days: { type: 'array', items: { $ref: '#/$defs/day' }, minItems: 1 },
      station: { type: 'string', pattern: '^[A-Z]{3}-\\d{2}$' },
    },
    required: ['degrees', 'sky', 'days', 'station'],
    $defs: { day: { type: 'string', format: 'date' } },
  },
  'x-unknown': 'kept',
};

export const LOCK = {
  lockVersion: 1,
  revision: '2025-11-25',
  server: { name: 'promised', version: '3.0.0' },
  capabilities: { tools: {}, prompts: {}, resources: {} },
  tools: [
    WEATHER,
    { name: 'plain', inputSchema: { type: 'object' } },
    {
      name: 'long',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      execution: { taskSupport: 'required' },
    },
    {
      name: 'nothing',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', required: ['a'], not: { required: ['a'] } },
    },
    {
      name: 'slow',
      inputSchema: { type: 'object', properties: { text: { pattern: '^(a+)+$' } } },
    },
  ],
  prompts: [{ name: 'review', arguments: [{ name: 'code', required: true }] }],
  resources: [{ name: 'notes', uri: 'note://today' }],
  resourceTemplates: [],
};

/** A lock file of this content. */
export function fileOfLock(lock: object): string {
  const file = join(temporaryFolder(), 'mcp.lock.json');
  writeFileSync(file, printLock(parseLock(JSON.stringify(lock), file)));
  return file;
}
