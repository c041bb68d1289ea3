import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../../generated/ext-tasks/protocol.js';
import { IDEMPOTENCY_META_KEY, type JsonObject } from '../../../runtime/tasks/index.js';
import { tokenOf } from '../../server/tokens.js';

/** A task as `tasks/get` shows it. */
export interface SeenTask {
  readonly taskId: string;
  readonly status: string;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: JsonObject;
  readonly inputRequests?: JsonObject;
}

/** The server does not have the task. Every other failure leaves open what happened. */
export class UnknownTask extends Error {}

const PATIENCE_MS = 3_000;
const UNKNOWN = -32_602;

async function ask(url: string, method: string, params: JsonObject): Promise<JsonObject> {
  const _meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'chaos', version: '1' },
    [META_KEYS.clientCapabilities]: { elicitation: {}, extensions: { [EXTENSION_ID]: {} } },
    ...(params['_meta'] as JsonObject | undefined),
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${tokenOf('ann')}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params['name'] ?? params['taskId']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { result, error } = messageOf(await response.text());
  if (result !== undefined) return result;
  const message = `${method}: ${JSON.stringify(error)}`;
  throw error?.code === UNKNOWN ? new UnknownTask(message) : new Error(message);
}

interface Message {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number };
}

/** The answer, alone or as the last event of a stream. */
function messageOf(text: string): Message {
  const [last = text] = text.match(/(?<=^data: ).*/gm)?.slice(-1) ?? [];
  return JSON.parse(last) as Message;
}

/** Requests to the node at `url`. Each rejects if the node does not answer in time. */
export const wire = {
  async create(url: string, tool: string, key: string, args: JsonObject): Promise<string> {
    const _meta = { [IDEMPOTENCY_META_KEY]: key };
    const result = await ask(url, 'tools/call', { name: tool, arguments: args, _meta });
    if (typeof result['taskId'] === 'string') return result['taskId'];
    throw new Error(`Not a task: ${JSON.stringify(result)}`);
  },
  async get(url: string, taskId: string): Promise<SeenTask> {
    return (await ask(url, 'tasks/get', { taskId })) as unknown as SeenTask;
  },
  async cancel(url: string, taskId: string): Promise<void> {
    await ask(url, 'tasks/cancel', { taskId });
  },
  async answer(url: string, taskId: string, inputResponses: JsonObject): Promise<void> {
    await ask(url, 'tasks/update', { taskId, inputResponses });
  },
};
