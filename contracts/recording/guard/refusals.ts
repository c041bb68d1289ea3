import { ERROR_CODES, META_KEYS } from '../../../runtime/protocol.js';
import { COMPLETE, TASKS_EXTENSION } from '../../../runtime/rules/messages.js';
import { statusOfRefusal } from '../../../runtime/transport/http/reply.js';
import type { Refused } from '../../../runtime/transport/http/reply.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import { revisionsWhere } from '../../../generator/ir/revisions/index.js';
import { at, isId, isRecord } from '../../validate/index.js';
import type { Party } from '../../validate/index.js';
import type { Ruling } from '../proxy/index.js';
import type { OpenCall, ToolResult } from '../index.js';
import type { GuardFinding } from './finding.js';

/** Revisions without sessions, in which a result has a type. */
const STATELESS = revisionsWhere(({ dialect }) => dialect === 'ext');

type Message = Readonly<Record<string, unknown>>;

export interface RefusedMessage {
  readonly message: Message;
  readonly from: Party;
  readonly findings: readonly GuardFinding[];
  readonly revision: string | undefined;
  /** The request that it answers, and the result of a tool in it. */
  readonly call: OpenCall | undefined;
  readonly result: ToolResult | undefined;
  /** How a server refuses it before it looks at the params. */
  readonly refused: Refused | undefined;
}

/**
 * What becomes of an invalid message. A request is answered with an error, and does not reach the other side. A result
 * of a tool becomes one with `isError`, which the model reads. Another answer becomes an error, and a notification
 * is dropped.
 */
export function refusalOf(refused: RefusedMessage): Ruling {
  const { message, findings } = refused;
  const { id, method } = message;
  const has = (codes: ReadonlySet<string>): boolean => findings.some(({ code }) => codes.has(code));
  // Of an ambiguous message nothing is kept.
  const result = has(AMBIGUOUS) ? undefined : refused.result;
  const said = `mcp-codegen guard: ${findings.map((each) => textOf(each)).join(' ')}`;
  if (isId(id) && method !== undefined) return refusedRequest(id, refused, said);
  // It answers nothing, so its receiver does not wait for it.
  if (isId(id) && has(ANSWERS_NOTHING)) return {};
  if (result) return { instead: withResult(ownOf(message), result.path, toolError(refused, said)) };
  return isId(id) ? { instead: error(id, ERROR_CODES.InternalError, said) } : {};
}

/** The members that a result or a notification has, without others that may be what is wrong. */
function ownOf({ jsonrpc, id, method, params, result }: Message): Message {
  return id === undefined ? { jsonrpc, method, params } : { jsonrpc, id, result };
}

const AMBIGUOUS: ReadonlySet<string> = new Set(['ambiguous']);
const ANSWERS_NOTHING: ReadonlySet<string> = new Set(['unasked', 'duplicate-answer']);

/**
 * The answer to a request, as its server would refuse it, in the same order: by its envelope, version, headers and method, for
 * a capability, and by its params. Over HTTP the revisions without sessions have statuses for it.
 */
function refusedRequest(id: string | number, message: RefusedMessage, said: string): Ruling {
  const { findings, refused } = message;
  const requested = at(message.message, 'params', '_meta', META_KEYS.protocolVersion);
  const has = (test: (finding: GuardFinding) => boolean): boolean => findings.some(test);
  const isUnknown = requested !== undefined && has(({ code }) => code === 'unknown-revision');
  if (refused && !(isUnknown && refused.code !== ERROR_CODES.HeaderMismatch)) {
    const { code, data, status } = refused;
    return { back: error(id, code, `${said} ${refused.message}`, data), status };
  }
  const refusal = (code: number, data?: object): Ruling => ({
    back: error(id, code, said, data),
    ...(requested !== undefined && { status: statusOfRefusal(code) }),
  });
  if (isUnknown) {
    return refusal(ERROR_CODES.UnsupportedProtocolVersion, { supported: STATELESS, requested });
  }
  if (has(({ pointer }) => pointer === '/method')) return refusal(ERROR_CODES.MethodNotFound);
  if (has(({ code, pointer }) => code === 'undeclared-capability' && pointer === DECLARED)) {
    const data = { requiredCapabilities: TASKS_EXTENSION };
    return refusal(ERROR_CODES.MissingRequiredClientCapability, data);
  }
  return refusal(ERROR_CODES.InvalidParams);
}

/** Where a request declares capabilities. */
const DECLARED = jsonPointer(['params', '_meta', META_KEYS.clientCapabilities]);

/** Errors in place of what cannot be read: back to the sender, or instead of an answer. */
export function refusalOfUnread(
  id: string | number | undefined,
  code: number,
  reason: string,
): { readonly back: Message; readonly instead: Message; readonly status: number } {
  const answer = error(id, code, `mcp-codegen guard: ${reason}`);
  return { back: answer, instead: answer, status: statusOfRefusal(code) };
}

const LONGEST = 1_000;

function textOf({ pointer, message, expected, received }: GuardFinding): string {
  if (expected === undefined || received === undefined) return message.slice(0, LONGEST);
  return `${pointer ?? ''}: expected ${expected}, received ${received}.`.slice(0, LONGEST);
}

function error(
  id: string | number | undefined,
  code: number,
  message: string,
  data?: unknown,
): Message {
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}

function toolError({ revision, result }: RefusedMessage, said: string): Message {
  const meta = at(result?.result, '_meta');
  return {
    ...(STATELESS.some((each) => each === revision) && COMPLETE),
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
