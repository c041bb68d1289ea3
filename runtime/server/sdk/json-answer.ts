import { METHODS } from '../../protocol/index.js';
import { isObject, member } from '../../wire/json.js';
import { messageIn } from './event-stream.js';

/** An answer of a session, and the bytes that were read of its stream. */
export interface Opened {
  readonly response: Response;
  readonly opening?: Uint8Array;
}

/**
 * Whether a stream is opened for a request at once. Tool calls take long and report progress; `tasks/result`
 * waits for the end of a task, and carries its questions.
 */
export function streams(body: unknown): boolean {
  if (!isObject(body)) return true;
  const method = body['method'];
  const isPlainCall = method === METHODS.toolsCall && member(body['params'], 'task') === undefined;
  return isPlainCall || method === METHODS.tasksResult;
}

/**
 * The answer in JSON, where it is the first event of the SDK's stream. Where that event is a notification, a
 * question or a keep-alive, the stream goes on.
 */
export async function inJson(response: Response, signal: AbortSignal): Promise<Opened> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', leave, { once: true });
  const { value } = await reader.read();
  signal.removeEventListener('abort', leave);
  // The session has ended, or the client has disconnected.
  if (value === undefined) return { response: new Response(null, { status: 499 }) };
  // The SDK writes each event at once.
  const message = messageIn(new TextDecoder().decode(value));
  if (message === undefined || 'method' in message) {
    reader.releaseLock();
    return { response, opening: value };
  }
  leave();
  const sessionId = response.headers.get('mcp-session-id');
  const headers = sessionId === null ? {} : { 'Mcp-Session-Id': sessionId };
  return { response: Response.json(message, { headers }) };
}
