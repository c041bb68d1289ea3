import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createTaskClient } from '../../runtime/client/index.js';
import { isSecretName } from '../../contracts/validate/secrets/names.js';
import type { AnyTransport } from './support.js';
import { clientV2, INFO, streamV1, taskSession } from '../server/clients.js';

/** A conversation of a client with a server: all that the client got. */
export type Talk = (transport: never) => Promise<unknown>;

const FORM = { name: 'Ann', appendix: 'yes' };

/** The parts of SDK clients, version 1 and 2, that are spelled alike. */
type AnyClient = Pick<
  ClientV1,
  'listTools' | 'listPrompts' | 'listResources' | 'readResource' | 'getPrompt'
> & { callTool(call: { name: string; arguments: object }, ...more: unknown[]): Promise<unknown> };

async function everything(client: AnyClient): Promise<unknown[]> {
  return [
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
    await client.readResource({ uri: 'note://today' }),
    await client.getPrompt({ name: 'review', arguments: { code: 'x' } }),
    await client.callTool({ name: 'echo', arguments: { text: 'hi' } }),
    await client.callTool({ name: 'count', arguments: {} }),
    await client.callTool({ name: 'count', arguments: {} }),
    await client.callTool({ name: 'fail', arguments: {} }),
    await client
      .callTool({ name: 'missing', arguments: {} })
      .catch((error: unknown) => String(error)),
  ];
}

/** The conversations of all clients that people have, by their names. */
export const TALKS: Readonly<Record<string, Talk>> = {
  async 'SDK v1'(transport) {
    const client = new ClientV1(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: FORM }));
    await client.connect(transport);
    const progress: unknown[] = [];
    const seen = [
      client.getServerVersion(),
      client.getServerCapabilities(),
      client.getInstructions(),
      ...(await everything(client as AnyClient)),
      await client.callTool({ name: 'ask', arguments: {} }, undefined, {
        onprogress: (each) => progress.push(each),
      }),
      progress,
    ];
    await client.close();
    return seen;
  },
  'SDK v1, a task': (transport) =>
    streamV1(transport, FORM, [{ name: 'report', arguments: { topic: 'cats' } }]),
  async 'SDK v2, sessions'(transport) {
    const client = await clientV2(transport, 'legacy', FORM);
    return [
      client.getServerVersion(),
      client.getServerCapabilities(),
      ...(await everything(client as never)),
      await client.callTool({ name: 'ask', arguments: {} }),
    ];
  },
  async 'SDK v2, no sessions'(transport) {
    const client = await clientV2(transport, 'auto', FORM);
    return [
      client.getServerVersion(),
      client.getServerCapabilities(),
      ...(await everything(client as never)),
      await client.callTool({ name: 'ask', arguments: {} }),
    ];
  },
  'ext-tasks, core': (transport) => throughExtTasks(transport, 'legacy'),
  'ext-tasks, extension': (transport) => throughExtTasks(transport, 'auto'),
  'ours, core': (transport) => throughOurs(transport, 'core'),
  'ours, extension': (transport) => throughOurs(transport, 'ext'),
};

async function throughExtTasks(transport: never, mode: 'legacy' | 'auto'): Promise<unknown> {
  const session = await taskSession(transport, mode, FORM);
  const options = { task: { preference: 'prefer' } } as const;
  // In the core dialect this client waits for questions on a stream of their own, which servers need not open.
  const [tool, args] = mode === 'auto' ? ['report', { topic: 'dogs' }] : ['work', {}];
  const execution = await session.callTool(String(tool), args, options);
  const { outcome } = await execution.settle();
  return [execution.kind, outcome];
}

async function throughOurs(transport: never, dialect: 'core' | 'ext'): Promise<unknown> {
  const asked: unknown[] = [];
  const client = createTaskClient({
    ...INFO,
    revisions: dialect === 'core' ? ['2025-11-25'] : ['2026-07-28'],
    answer: {
      form(params) {
        asked.push(params.message, params.requestedSchema);
        return { action: 'accept', content: FORM };
      },
    },
  });
  const told = toldBy(transport);
  await client.connect(transport);
  const states: string[] = [];
  const seen = [
    client.revision,
    client.server,
    await client.tools(),
    await client.call('echo', { text: 'hi' }),
    await client.call('ask', {}),
    await client.call(
      'report',
      { topic: 'birds' },
      { onStatus: ({ status }) => states.push(status) },
    ),
    await client.call('missing', {}).catch((error: unknown) => String(error)),
  ];
  // In the core dialect the server sends each state, in a pipe or on a stream beside the calls.
  if (dialect === 'core') await told.end;
  await client.close();
  // A client misses states that come before it follows the task, and polls by its own clock.
  return [...seen, asked, states[0], states.at(-1), dialect === 'core' && told.statuses];
}

/** The states of tasks that a server sends by itself, in their order; `end` resolves with the last one. */
function toldBy(transport: AnyTransport): {
  readonly statuses: readonly string[];
  readonly end: Promise<void>;
} {
  const statuses: string[] = [];
  let client: AnyTransport['onmessage'];
  const end = new Promise<void>((resolve) => {
    const receive = (message: never, extra?: never): void => {
      const { method, params } = message as { method?: string; params?: { status: string } };
      if (method === 'notifications/tasks/status' && params) statuses.push(params.status);
      if (statuses.at(-1) === 'completed') resolve();
      client?.(message, extra);
    };
    Object.defineProperty(transport, 'onmessage', {
      get: () => client && receive,
      set: (handler: AnyTransport['onmessage']) => (client = handler),
    });
  });
  return { statuses, end };
}

/**
 * What may differ between two servers that give the same answers: times, the ids of tasks, and secrets, which keep their
 * type. A text that is JSON is looked at as well.
 */
export function withoutChance(seen: unknown): unknown {
  const ids = new Map<string, string>();
  return JSON.parse(JSON.stringify(seen), (key, value: unknown) => {
    if (key === 'createdAt' || key === 'lastUpdatedAt') return 'a time';
    if (isSecretName(key) && typeof value !== 'object') return `a secret ${typeof value}`;
    if (typeof value === 'string' && value.startsWith('{')) {
      try {
        return withoutChance(JSON.parse(value));
      } catch {
        return value;
      }
    }
    if (key !== 'taskId' || typeof value !== 'string') return value;
    if (!ids.has(value)) ids.set(value, `task ${ids.size}`);
    return ids.get(value);
  });
}
