import { ERROR_CODES, METHODS } from '../protocol.js';
import { RESOURCE_NOT_FOUND } from '../rules/messages.js';

/** Names and values by the semantic conventions for MCP. */
export type Attributes = Record<string, string>;

/** Where a message came from, or goes to. */
export interface Facts {
  /** The revision that was negotiated; undefined before. */
  readonly revision?: string | undefined;
  readonly sessionId?: string | undefined;
  /** `pipe` means stdio. Absent where it cannot be told. */
  readonly transport?: 'pipe' | 'tcp' | undefined;
  /** Whether this name, which a client sent, is one of the server's tools. */
  readonly knowsTool?: ((name: string) => boolean) | undefined;
}

/** Which side of one message this process is: who received it is its server. */
export type Role = 'server' | 'client';

/** A request or notification, as far as telemetry reads it. */
export interface Message {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: unknown;
}

/** An answer: a response, or why there is none. */
export type OperationOutcome =
  { readonly result?: unknown; readonly error?: unknown } | Interruption;

/** Why a request got no answer: a class of error, of low cardinality. */
export type Interruption = 'cancelled' | 'connection_closed' | 'invalid_answer' | 'send_failed';

const KNOWN_METHODS: ReadonlySet<string> = new Set(Object.values(METHODS));
const KNOWN_CODES: ReadonlySet<number> = new Set(Object.values(ERROR_CODES));
/** The code of this package's own limits. */
const OVER_LIMIT = 429;
/** Requests that the caller got wrong: no fault of the server that refuses them. */
const FAULTS_OF_CALLERS: ReadonlySet<number> = new Set([
  ERROR_CODES.ParseError,
  ERROR_CODES.InvalidRequest,
  ERROR_CODES.MethodNotFound,
  ERROR_CODES.InvalidParams,
  RESOURCE_NOT_FOUND,
]);

const OTHER = '_OTHER';
/** Characters of a value that a peer chose. */
const LONGEST_VALUE = 256;

/** `{mcp.method.name} {target}`, where the target is the tool or prompt. */
export function spanName({ 'mcp.method.name': method, ...attributes }: Attributes): string {
  const target = attributes['gen_ai.tool.name'] ?? attributes['gen_ai.prompt.name'];
  return target === undefined ? String(method) : `${method} ${target}`;
}

/** What is known when a message arrives. All of it is of low cardinality. */
export function attributesOf({ method, params }: Message, facts: Facts, role: Role): Attributes {
  const isCall = method === METHODS.toolsCall;
  const name = text(params, 'name');
  // A client chose the name itself. Its server has to see whether there is such a tool or prompt.
  const isTool = isCall && name !== undefined && (role === 'client' || facts.knowsTool?.(name));
  const isPrompt = method === METHODS.promptsGet && name !== undefined && role === 'client';
  return {
    'mcp.method.name': KNOWN_METHODS.has(method) ? method : OTHER,
    ...(isCall && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(isTool === true && { 'gen_ai.tool.name': name }),
    ...(isPrompt && { 'gen_ai.prompt.name': name }),
    ...(facts.revision !== undefined && { 'mcp.protocol.version': facts.revision }),
    ...transportOf(facts),
  };
}

export function transportOf({ transport }: Facts): Attributes {
  if (transport === undefined) return {};
  return {
    'network.transport': transport,
    ...(transport === 'tcp' && { 'network.protocol.name': 'http' }),
  };
}

/** What only spans have, because each value may occur once. */
export function detailsOf({ method, id, params }: Message, { sessionId }: Facts): Attributes {
  const uri = method.includes('resources/') ? text(params, 'uri') : undefined;
  return {
    ...(id !== undefined && { 'jsonrpc.request.id': String(id).slice(0, LONGEST_VALUE) }),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionId.slice(0, LONGEST_VALUE) }),
    ...(uri !== undefined && { 'mcp.resource.uri': uri.slice(0, LONGEST_VALUE) }),
  };
}

/** What the answer adds. `error.type` is there if and only if the operation failed. */
export function outcomeOf(
  { method, params }: Message,
  answer: OperationOutcome | undefined,
  role: Role,
): Attributes {
  if (answer === undefined) return {};
  if (typeof answer === 'string') return { 'error.type': answer };
  if (answer.error !== undefined) return errorOf(answer.error, role);
  const prompt = method === METHODS.promptsGet ? text(params, 'name') : undefined;
  const isToolError = method === METHODS.toolsCall && member(answer.result, 'isError') === true;
  return {
    ...(isToolError && { 'error.type': 'tool_error' }),
    // It exists, because the server has answered with it.
    ...(prompt !== undefined && { 'gen_ai.prompt.name': prompt }),
  };
}

/** For the status of a span. */
export function messageIn(answer: OperationOutcome | undefined): string | undefined {
  if (answer === undefined || typeof answer === 'string') return answer;
  return text(answer.error, 'message')?.slice(0, LONGEST_VALUE);
}

export function metaOf({ params }: Message): { readonly [key: string]: unknown } {
  const meta = member(params, '_meta');
  return typeof meta === 'object' && meta !== null ? (meta as { [key: string]: unknown }) : {};
}

function errorOf(error: unknown, role: Role): Attributes {
  const code = member(error, 'code');
  const isOurs = role === 'server' && typeof code === 'number';
  const status = isOurs || isKnown(code) ? String(code) : OTHER;
  const failed = role === 'client' || !FAULTS_OF_CALLERS.has(Number(code));
  return { 'rpc.response.status_code': status, ...(failed && { 'error.type': status }) };
}

/** JSON-RPC leaves -32000 to -32099 to implementations. A peer may send any other number. */
function isKnown(code: unknown): boolean {
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return false;
  return KNOWN_CODES.has(code) || code === OVER_LIMIT || (code <= -32000 && code >= -32099);
}

function text(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as { [name: string]: unknown })[name]
    : undefined;
}
