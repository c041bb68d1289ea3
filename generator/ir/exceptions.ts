import type { Capability, Party } from './model.js';

/**
 * Facts that the schemas do not contain. A fact is found by what it is about, so it applies to every document that
 * has that, also to drafts and to revisions of the future.
 */
export interface Exceptions {
  /** Capabilities that cannot be derived from the method. They apply where the party can declare them. */
  readonly capabilities: readonly { readonly method: string; readonly needs: Capability }[];
  /** Reserved `_meta` keys that only the prose of the specification names, where the definition exists. */
  readonly metaKeys: readonly { readonly definition: string; readonly key: string }[];
  /** Facts about the messages of an extension, by its id. All of them need the extension itself. */
  readonly extensions: Readonly<Record<string, ExtensionFacts>>;
}

export interface ExtensionFacts {
  /** Senders of messages that no union of client or server messages lists. */
  readonly senders: readonly { readonly method: string; readonly sender: Party }[];
  /** Results that the extension adds to requests of its revision, where the result is defined. */
  readonly addedResults: readonly { readonly method: string; readonly result: string }[];
}

const server = (...path: string[]): Capability => ({ party: 'server', path });
const client = (...path: string[]): Capability => ({ party: 'client', path });

export const EXCEPTIONS: Exceptions = {
  capabilities: [
    { method: 'completion/complete', needs: server('completions') },
    { method: 'resources/unsubscribe', needs: server('resources', 'subscribe') },
    { method: 'notifications/resources/updated', needs: server('resources', 'subscribe') },
    { method: 'notifications/message', needs: server('logging') },
    { method: 'notifications/elicitation/complete', needs: client('elicitation', 'url') },
  ],
  metaKeys: [
    {
      definition: 'TaskAugmentedRequestParams',
      key: 'io.modelcontextprotocol/model-immediate-response',
    },
    { definition: 'RelatedTaskMetadata', key: 'io.modelcontextprotocol/related-task' },
  ],
  extensions: {
    'io.modelcontextprotocol/tasks': {
      senders: [
        { method: 'tasks/get', sender: 'client' },
        { method: 'tasks/update', sender: 'client' },
        { method: 'tasks/cancel', sender: 'client' },
        { method: 'notifications/tasks', sender: 'server' },
      ],
      addedResults: [{ method: 'tools/call', result: 'CreateTaskResult' }],
    },
  },
};
