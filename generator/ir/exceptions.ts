import type { Capability, Extension, Party } from './model.js';

/**
 * Facts that the schemas do not contain. Each entry lists its revisions and must change something in each
 * of them. An entry without effect is an error, so the table shrinks when a schema adds the fact.
 */
export interface Exceptions {
  /** Capabilities that cannot be derived from the method. */
  readonly capabilities: readonly {
    readonly in: readonly string[];
    readonly method: string;
    readonly needs: Capability;
  }[];
  /** Senders of messages that no union of client or server messages lists. */
  readonly senders: readonly {
    readonly in: readonly string[];
    readonly method: string;
    readonly sender: Party;
  }[];
  /** Results that an extension adds to requests of its revision. */
  readonly addedResults: readonly {
    readonly in: readonly string[];
    readonly method: string;
    readonly result: string;
  }[];
  /** The documents that are extensions. */
  readonly extensions: Readonly<Record<string, Extension>>;
  /** Reserved `_meta` keys that only the prose of the specification names. */
  readonly metaKeys: readonly { readonly in: readonly string[]; readonly key: string }[];
}

const FROM_2025_11 = ['2025-11-25', '2026-07-28'];
const FROM_2025_03 = ['2025-03-26', '2025-06-18', ...FROM_2025_11];
const ALL = ['2024-11-05', ...FROM_2025_03];
const WITH_SESSIONS = ALL.filter((revision) => revision !== '2026-07-28');

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const server = (...path: string[]): Capability => ({ party: 'server', path });
const client = (...path: string[]): Capability => ({ party: 'client', path });

export const EXCEPTIONS: Exceptions = {
  capabilities: [
    { in: FROM_2025_03, method: 'completion/complete', needs: server('completions') },
    {
      in: WITH_SESSIONS,
      method: 'resources/unsubscribe',
      needs: server('resources', 'subscribe'),
    },
    {
      in: ALL,
      method: 'notifications/resources/updated',
      needs: server('resources', 'subscribe'),
    },
    { in: ALL, method: 'notifications/message', needs: server('logging') },
    {
      in: ['2025-11-25'],
      method: 'notifications/elicitation/complete',
      needs: client('elicitation', 'url'),
    },
    ...['tasks/get', 'tasks/update', 'tasks/cancel', 'notifications/tasks'].map((method) => ({
      in: ['ext-tasks'],
      method,
      needs: server('extensions', TASKS_EXTENSION),
    })),
  ],
  senders: [
    { in: ['ext-tasks'], method: 'tasks/get', sender: 'client' },
    { in: ['ext-tasks'], method: 'tasks/update', sender: 'client' },
    { in: ['ext-tasks'], method: 'tasks/cancel', sender: 'client' },
    { in: ['ext-tasks'], method: 'notifications/tasks', sender: 'server' },
  ],
  addedResults: [{ in: ['ext-tasks'], method: 'tools/call', result: 'CreateTaskResult' }],
  extensions: { 'ext-tasks': { id: TASKS_EXTENSION, extends: '2026-07-28' } },
  metaKeys: [
    { in: ['2025-11-25'], key: 'io.modelcontextprotocol/model-immediate-response' },
    { in: ['2025-11-25'], key: 'io.modelcontextprotocol/related-task' },
  ],
};
