import { join } from 'node:path';
import { installed } from '../../scripts/newer-node.js';
import { compiled } from '../support/program.js';

/** A server that is recorded, and what is asked of it. */
export interface Original {
  /** How it is started, as an argument of Node.js and its own ones. */
  readonly program: () => Promise<readonly string[]>;
  readonly calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  readonly prompts: readonly (readonly [name: string, args: Readonly<Record<string, string>>])[];
  readonly resources: readonly string[];
}

const VERSION = '2026.8.31';

/** The path of the program of a server of npm, which is installed into `.cache` if it is missing. */
async function published(name: string): Promise<string> {
  const folder = await installed(`server-${name}`, `@modelcontextprotocol/server-${name}`, VERSION);
  return join(folder, 'dist', 'index.js');
}

const ID = '0b0e8a2c-5c0f-4f7e-9d5a-0123456789ab';
const OTHER_ID = '1c1f9b3d-5c0f-4f7e-9d5a-0123456789ab';
/** What the server "formats" takes and returns. */
const ACCOUNT = {
  id: ID,
  site: 'https://example.org/ann',
  mail: 'ann@example.org',
  since: '2026-01-01T00:00:00Z',
  plan: 'free',
  code: 'ABC-1234',
  nick: 'Ann',
  token: ID,
  secretUri: 'https://example.org/hidden',
  secretMail: 'hidden@example.org',
  tokenExpires: '2026-02-01T00:00:00Z',
  apiKey: 'XYZ-9876',
  password: 'hunter2',
  pin: 1234,
  authPlan: 'paid',
  sessions: [{ sessionId: OTHER_ID, isSecret: true }],
} as const;

/** Servers by their names. `folder` is one in which they may write. */
export function originalsIn(folder: string): Readonly<Record<string, Original>> {
  const file = join(folder, 'notes.txt');
  return {
    example: {
      program: () => Promise.resolve([compiled(new URL('example.ts', import.meta.url))]),
      calls: [
        ['echo', { text: 'hi' }],
        ['count', {}],
        ['count', {}],
        ['fail', {}],
        ['ask', {}],
        ['missing', {}],
      ],
      prompts: [['review', { code: 'x' }]],
      resources: ['note://today'],
    },
    formats: {
      program: () => Promise.resolve([compiled(new URL('formats.ts', import.meta.url))]),
      calls: [
        ['sign_in', ACCOUNT],
        ['sign_in', { ...ACCOUNT, nick: 'Bea', pin: 4321, token: OTHER_ID }],
        ['sign_in', { ...ACCOUNT, nick: 'x' }],
        ['sign_in', { ...ACCOUNT, password: 'hunter3' }],
        ['sign_up', {}],
      ],
      prompts: [],
      resources: [],
    },
    'sequential-thinking': {
      program: async () => [await published('sequential-thinking')],
      calls: [
        [
          'sequentialthinking',
          { thought: 'One', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
        ],
        [
          'sequentialthinking',
          { thought: 'Two', nextThoughtNeeded: false, thoughtNumber: 2, totalThoughts: 2 },
        ],
        ['sequentialthinking', { thought: 'None' }],
      ],
      prompts: [],
      resources: [],
    },
    everything: {
      program: async () => [await published('everything'), 'stdio'],
      calls: [
        ['echo', { message: 'hi' }],
        ['get-sum', { a: 2, b: 3 }],
        ['get-sum', { a: 'two', b: 3 }],
        ['get-tiny-image', {}],
        ['get-annotated-message', { messageType: 'error', includeImage: true }],
        ['get-resource-links', { count: 2 }],
        ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }],
        ['get-structured-content', { location: 'Chicago' }],
        ['trigger-long-running-operation', { duration: 1, steps: 4 }],
        ['trigger-elicitation-request', {}],
      ],
      prompts: [
        ['simple-prompt', {}],
        ['args-prompt', { city: 'Riga', state: 'x' }],
      ],
      resources: [
        'demo://resource/static/document/architecture.md',
        'demo://resource/dynamic/text/1',
      ],
    },
    filesystem: {
      program: async () => [await published('filesystem'), folder],
      calls: [
        ['write_file', { path: file, content: 'Buy milk' }],
        ['read_text_file', { path: file }],
        ['edit_file', { path: file, edits: [{ oldText: 'milk', newText: 'tea' }] }],
        ['read_text_file', { path: file }],
        ['list_directory', { path: folder }],
        ['get_file_info', { path: file }],
        ['read_text_file', { path: '/etc/passwd' }],
        ['list_allowed_directories', {}],
      ],
      prompts: [],
      resources: [],
    },
    memory: {
      program: async () => [await published('memory')],
      calls: [
        ['read_graph', {}],
        [
          'create_entities',
          { entities: [{ name: 'Ann', entityType: 'person', observations: ['is here'] }] },
        ],
        ['read_graph', {}],
        ['search_nodes', { query: 'Ann' }],
        ['delete_entities', { entityNames: ['Ann'] }],
        ['read_graph', {}],
      ],
      prompts: [],
      resources: [],
    },
  };
}
