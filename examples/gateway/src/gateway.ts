import { decoderOf, isRevision, REVISIONS } from './revisions.js';
import type { Id, Rejected, Revision, Side } from './revisions.js';

/** What becomes of a message. */
export interface Outcome {
  /** For the other side. It is the message as it was read, written again: no reader sees another one. */
  readonly forward?: string;
  /** For the sender. */
  readonly answer?: string;
  /** Why the message was not forwarded. */
  readonly problem?: string;
}

/** The fields of a message that the gateway uses. */
interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Asked {
  readonly method: string;
  readonly revision: Revision;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const UNSUPPORTED_VERSION = -32_022;

/**
 * Checks the messages between one client and one server. The function that it returns takes the text of
 * a message and its sender.
 */
export function createGateway(): (text: string, from: Side) => Outcome {
  /** That of the session, or of the client's last request. */
  let current: Revision = '2025-11-25';
  /** Requests without an answer, by sender and id. */
  const asked = { client: new Map<unknown, Asked>(), server: new Map<unknown, Asked>() };

  function receive(text: string, from: Side): Outcome {
    const message = peek(text);
    const isAnswer = message.method === undefined && ('result' in message || 'error' in message);
    return isAnswer ? answered(text, message, from) : sent(text, message, from);
  }

  function answered(text: string, message: Message, from: Side): Outcome {
    const requests = asked[other(from)];
    const question = requests.get(message.id);
    if (!question) return { problem: `The ${from} answered a request that was not made.` };
    requests.delete(message.id);
    const methodOf = (): string | undefined => resultOf(question.method, from);
    const verdict = decoderOf(question.revision)(text, { from, methodOf });
    if (!verdict.ok) return invalidAnswer(message.id, from, verdict.errors);
    if (question.method === 'initialize') current = negotiated(message) ?? current;
    return { forward: JSON.stringify(message) };
  }

  function sent(text: string, message: Message, from: Side): Outcome {
    const revision = (from === 'client' ? namedBy(message) : undefined) ?? current;
    if (!isRevision(revision)) return unsupported(message, revision);
    const verdict = decoderOf(revision)(text, { from });
    if (!verdict.ok) return invalid(from, verdict);
    if (verdict.kind === 'batch') return refusal(message, 'Send one message a line.');
    const { method = '', params } = message;
    if (verdict.kind === 'request') {
      if (asked[from].has(message.id)) return refusal(message, `The id ${message.id} is in use.`);
      asked[from].set(message.id, { method, revision });
      if (from === 'client') current = revision;
    }
    // A cancelled request gets no answer.
    if (method === 'notifications/cancelled') asked[from].delete(params?.['requestId']);
    return { forward: JSON.stringify(message) };
  }

  return receive;
}

const other = (side: Side): Side => (side === 'client' ? 'server' : 'client');

/** The message without a check. Empty for a text that is not a JSON object. */
function peek(text: string): Message {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The revision that a client's message names: up to 2025-11-25 only `initialize` does. */
function namedBy({ method, params }: Message): unknown {
  if (method === 'initialize') {
    // The server may choose another one in its answer.
    const wanted = params?.['protocolVersion'];
    return isRevision(wanted) && wanted < '2026' ? wanted : '2025-11-25';
  }
  const meta = params?.['_meta'];
  return isObject(meta) ? meta[VERSION_KEY] : undefined;
}

/** The revision that the server chose. One that the gateway does not know is left to the client. */
function negotiated({ result }: Message): Revision | undefined {
  const chosen = isObject(result) ? result['protocolVersion'] : undefined;
  return isRevision(chosen) ? chosen : undefined;
}

/** The method whose result answers a method: the result of a client's task is that of its tool call. */
function resultOf(method: string | undefined, answering: Side): string | undefined {
  if (method !== 'tasks/result') return method;
  return answering === 'server' ? 'tools/call' : undefined;
}

function invalid(from: Side, { errors, reply }: Rejected): Outcome {
  return {
    problem: `Invalid message of the ${from}: ${errors[0]?.message ?? ''}`,
    ...(reply && { answer: JSON.stringify(reply) }),
  };
}

/** The side that asked gets an error instead of the answer. */
function invalidAnswer(id: Id | undefined, from: Side, errors: Rejected['errors']): Outcome {
  const message = `The ${from} sent an invalid answer: ${errors[0]?.message ?? ''}`;
  const error = { code: INTERNAL_ERROR, message, data: { errors } };
  return { problem: message, forward: JSON.stringify({ jsonrpc: '2.0', id, error }) };
}

function unsupported(message: Message, requested: unknown): Outcome {
  const text = `Unsupported protocol version ${JSON.stringify(requested)}`;
  const data = { requested, supported: REVISIONS };
  return refused(message, { code: UNSUPPORTED_VERSION, message: text, data });
}

function refusal(message: Message, text: string): Outcome {
  return refused(message, { code: INVALID_REQUEST, message: text });
}

function refused(
  { id, method }: Message,
  error: { readonly code: number; readonly message: string; readonly data?: object },
): Outcome {
  const answer = JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error });
  const isNotification = method !== undefined && id === undefined;
  return { problem: error.message, ...(!isNotification && { answer }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
