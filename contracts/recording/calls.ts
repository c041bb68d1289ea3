import { at, BoundedMap, createdTask, isId, isRecord, textAt } from '../validate/index.js';

/** A request of the client that waits for its answer. */
export interface OpenCall {
  readonly method: string;
  /** The tool that it calls, or whose task it asks for. */
  readonly tool?: string | undefined;
}

/** The result of a tool in a message, and where it is. */
export interface ToolResult {
  /** Undefined for a task whose call is not known. */
  readonly tool: string | undefined;
  readonly result: unknown;
  readonly path: readonly string[];
}

const MOST = { entries: 5_000, characters: 1_000_000 };

/** Follows the client's requests, and which tool made a task. */
export class Calls {
  readonly #open = new BoundedMap<OpenCall>(MOST);
  readonly #tasks = new BoundedMap<string>(MOST);

  /** Notes a request of the client. */
  asked(message: Readonly<Record<string, unknown>>): void {
    const { id, method } = message;
    if (!isId(id) || typeof method !== 'string') return;
    const task = textAt(message, 'params', 'taskId');
    const tool =
      method === 'tools/call'
        ? textAt(message, 'params', 'name')
        : task === undefined
          ? undefined
          : this.#tasks.get(task);
    this.#open.set(keyOf(id), { method, tool }, [method, tool ?? '']);
  }

  /** The request that a message of the server answers. */
  answered(message: Readonly<Record<string, unknown>>): OpenCall | undefined {
    const { id } = message;
    if (message['method'] !== undefined || !isId(id)) return undefined;
    const key = keyOf(id);
    const call = this.#open.get(key);
    if (!call) return undefined;
    this.#open.delete(key);
    const task = createdTask(message['result']);
    if (call.method === 'tools/call' && call.tool !== undefined && task !== undefined) {
      this.#tasks.set(task, call.tool, [call.tool]);
    }
    return call;
  }

  /** The result of a tool that a message of the server contains, in either dialect of tasks. */
  resultIn(message: unknown, call: OpenCall | undefined): ToolResult | undefined {
    if (call && ['tools/call', 'tasks/result'].includes(call.method)) {
      const { tool, method } = call;
      const result = at(message, 'result');
      const isKnown = tool !== undefined || method === 'tasks/result';
      return isKnown && isFinal(result) ? { tool, result, path: ['result'] } : undefined;
    }
    const task =
      call?.method === 'tasks/get'
        ? (['result'] as const)
        : textAt(message, 'method') === 'notifications/tasks'
          ? (['params'] as const)
          : undefined;
    if (task === undefined) return undefined;
    const tool = call?.tool ?? this.#tasks.get(textAt(message, ...task, 'taskId') ?? '');
    const result = at(message, ...task, 'result');
    return isRecord(result) ? { tool, result, path: [...task, 'result'] } : undefined;
  }
}

/** Whether it is what the tool has returned: no task, and no question. */
function isFinal(result: unknown): boolean {
  if (!isRecord(result) || createdTask(result) !== undefined) return false;
  return result['resultType'] === undefined || result['resultType'] === 'complete';
}

function keyOf(id: string | number): string {
  return typeof id === 'string' ? `"${id}` : String(id);
}

/** Whether a message asks for something, from either side. */
export function isRequest(message: Readonly<Record<string, unknown>>): boolean {
  return message['method'] !== undefined && message['id'] !== undefined;
}
