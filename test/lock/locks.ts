import { printLock } from '../../contracts/lock/index.js';
import type { Lock, Sent } from '../../contracts/lock/index.js';

export const TOOL: Sent = {
  name: 'search',
  title: 'Search',
  description: 'Searches the index for documents.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to search for.' },
      limit: { type: 'integer', minimum: 1, default: 10 },
    },
    required: ['query'],
  },
  outputSchema: {
    type: 'object',
    properties: { hits: { type: 'array', items: { type: 'string' } } },
    required: ['hits'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  execution: { taskSupport: 'optional' },
};

export const LOCK: Lock = {
  lockVersion: 1,
  revision: '2025-11-25',
  server: { name: 'library', version: '1.0.0' },
  instructions: 'Search first.',
  capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } },
  tools: [TOOL],
  prompts: [
    {
      name: 'review',
      description: 'Reviews code.',
      arguments: [
        { name: 'code', description: 'The code.', required: true },
        { name: 'style', required: false },
      ],
    },
  ],
  resources: [
    { uri: 'note://a', name: 'a', mimeType: 'text/plain', size: 3, annotations: { priority: 1 } },
  ],
  resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'notes' }],
};

export type Changed = { -readonly [K in keyof Lock]: Lock[K] };

/** A copy of the lock after a change, as a program that reads the file gets it. */
export function changed(change: (lock: Changed) => void): Lock {
  const copy = JSON.parse(printLock(LOCK)) as Changed;
  change(copy);
  return copy;
}

/** A copy of the tool with other members. */
export const withTool = (more: Sent): Lock =>
  changed((lock) => {
    lock.tools = [{ ...TOOL, ...more }];
  });
