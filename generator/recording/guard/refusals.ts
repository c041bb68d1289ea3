import { revisionsWhere } from '../../ir/revisions/index.js';
import { ERROR_CODES, META_KEYS } from '../../../runtime/protocol.js';
import { at, isId, isRecord } from '../../validate/index.js';
import type { Party } from '../../validate/index.js';
import type { Ruling } from '../proxy/index.js';
import type { OpenCall, ToolResult } from '../index.js';
import type { GuardFinding } from './finding.js';

const {
  MethodNotFound: METHOD_NOT_FOUND,
  InvalidParams: INVALID_PARAMS,
  InternalError: INTERNAL_ERROR,
  UnsupportedProtocolVersion: UNSUPPORTED_VERSION,
} = ERROR_CODES;
/** Revisions without sessions, in which a result has a type. */
const STATELESS = revisionsWhere(({ dialect }) => dialect === 'ext');

type Message = Readonly<Record<string, unknown>>;

export interface Refused {
  readonly message: Message;
  readonly from: Party;
  readonly findings: readonly GuardFinding[];
  readonly revision: string | undefined;
  /** The request that it answers, and the result of a tool in it. */
  readonly call: OpenCall | undefined;
  readonly result: ToolResult | undefined;
}

/**
 * What becomes of an invalid message. A request is answered with an error, and does not reach the other side. A result
 * of a tool becomes one with `isError`, which the model reads. Another answer becomes an error, and a notification
 * is dropped.
 */
export function refusalOf(refused: Refused): Ruling {
  const { message, findings, call, result } = refused;
  const { id, method } = message;
  const said = `mcp-codegen guard: ${findings.map((each) => textOf(each)).join(' ')}`;
  if (!isId(id)) {
    return result ? { instead: withResult(message, result.path, toolError(refused, said)) } : {};
  }
  if (method !== undefined) return refusedRequest(id, refused, said);
  if (refused.from === 'server' && !call) return {};
  if (!result) return { instead: error(id, INTERNAL_ERROR, said) };
  return { instead: withResult(message, result.path, toolError(refused, said)) };
}

/**
 * The answer to a request, as its server would refuse it: a client of a later revision learns which it may speak. Over HTTP
 * the revisions without sessions have statuses for it.
 */
function refusedRequest(id: string | number, { message, findings }: Refused, said: string): Ruling {
  const requested = at(message, 'params', '_meta', META_KEYS.protocolVersion);
  const isStateless = requested !== undefined;
  const has = (test: (finding: GuardFinding) => boolean): boolean => findings.some(test);
  if (isStateless && has(({ code }) => code === 'unknown-revision')) {
    const data = { supported: STATELESS, requested };
    return { back: error(id, UNSUPPORTED_VERSION, said, data), status: BAD_REQUEST };
  }
  if (has(({ pointer }) => pointer === '/method')) {
    return {
      back: error(id, METHOD_NOT_FOUND, said),
      ...(isStateless && { status: NOT_FOUND }),
    };
  }
  const lacksMember = has(({ pointer = '' }) => pointer.startsWith(ENVELOPE));
  return {
    back: error(id, INVALID_PARAMS, said),
    ...(isStateless && lacksMember && { status: BAD_REQUEST }),
  };
}

/** Where the members are that every request of such a revision has. */
const ENVELOPE = '/params/_meta/io.modelcontextprotocol~1';
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** What becomes of a message that cannot be judged. */
export function refusalOfUnread({ id, method }: Message, reason: string): Ruling {
  if (!isId(id)) return {};
  const said = `mcp-codegen guard: ${reason}`;
  return method === undefined
    ? { instead: error(id, INTERNAL_ERROR, said) }
    : { back: error(id, INVALID_PARAMS, said) };
}

const LONGEST = 1_000;

function textOf({ pointer, message, expected, received }: GuardFinding): string {
  if (expected === undefined || received === undefined) return message.slice(0, LONGEST);
  return `${pointer ?? ''}: expected ${expected}, received ${received}.`.slice(0, LONGEST);
}

function error(id: string | number, code: number, message: string, data?: object): Message {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } };
}

function toolError({ revision, result }: Refused, said: string): Message {
  const meta = at(result?.result, '_meta');
  return {
    ...(STATELESS.some((each) => each === revision) && { resultType: 'complete' }),
    content: [{ type: 'text', text: said }],
    isError: true,
    ...(isRecord(meta) && { _meta: meta }),
  };
}

/** A message with another value at a path. */
function withResult(message: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined || !isRecord(message)) return value;
  return { ...message, [key]: withResult(message[key], rest, value) };
}
