import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { at, isObject, member } from '../../../runtime/peer/wire/json.js';
import { tokenOf } from '../tokens.js';
import type { Rule } from './pair.js';
import type { HostileRequest } from './request.js';
import { MAX_BODY } from './target.js';

/** A request of `drafts.ts`, changed or not. */
interface Asked {
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly message: JsonObject;
  readonly meta: JsonObject | undefined;
  readonly isRequest: boolean;
  /** Whether it is of the revision without sessions. */
  readonly isModern: boolean;
}

/** A fault of a request, and the status and code that it may be refused with. */
interface Fault {
  /** A notification is accepted in spite of it. */
  readonly ofRequest?: true;
  readonly status: number;
  readonly code?: number;
  readonly has: (asked: Asked) => boolean;
}

const MODERN = '2026-07-28';
const NAMED = /^(?:tools\/call|tasks\/(?:get|update|cancel))$/;
const TASKS = /^tasks\/(?:get|update|cancel)$/;
const MODERN_METHODS = /^(?:tools\/(?:call|list)|tasks\/(?:get|update|cancel)|server\/discover)$/;
const KNOWN_TOKENS = [tokenOf('ann'), tokenOf('bob'), tokenOf('ann', 'app', 'other')].map(
  (token) => `Bearer ${token}`,
);

const text = (value: unknown): value is string => typeof value === 'string';
const claimed = ({ meta }: Asked): unknown => meta?.[META_KEYS.protocolVersion];
const version = ({ header }: Asked): string | undefined => header('mcp-protocol-version');
const capabilities = ({ meta }: Asked): unknown => meta?.[META_KEYS.clientCapabilities];
const inSession = (asked: Asked): boolean => !asked.isModern && !isHandshake(asked);
const isHandshake = ({ message }: Asked): boolean => message['method'] === 'initialize';

const FAULTS: readonly Fault[] = [
  { status: 403, has: ({ header }) => header('host') === 'evil.example' },
  { status: 400, code: -32000, has: ({ header }) => header('host') === 'local host' },
  { status: 403, has: ({ header }) => /evil|null|nonsense/.test(header('origin') ?? '') },
  { status: 401, has: ({ header }) => !KNOWN_TOKENS.includes(header('authorization') ?? '') },
  { status: 403, has: ({ header }) => header('authorization') === KNOWN_TOKENS[2] },
  { status: 415, has: ({ header }) => !/^application\/json/i.test(header('content-type') ?? '') },
  { status: 413, has: ({ body }) => Buffer.byteLength(body) > MAX_BODY },
  { status: 400, code: -32600, has: ({ body }) => body.startsWith('[') },
  { status: 400, code: -32600, has: ({ message }) => !isJsonRpc(message) },

  // Of requests of the revision without sessions.
  {
    ofRequest: true,
    status: 400,
    code: -32602,
    has: (asked) => asked.isModern && !hasEnvelope(asked),
  },
  {
    ofRequest: true,
    status: 400,
    code: -32020,
    has: (asked) => asked.isModern && version(asked) !== claimed(asked),
  },
  {
    ofRequest: true,
    status: 400,
    code: -32022,
    has: (asked) => asked.isModern && claimed(asked) !== MODERN,
  },
  {
    ofRequest: true,
    status: 400,
    code: -32020,
    has: (asked) => asked.isModern && !hasHeaders(asked),
  },
  {
    ofRequest: true,
    status: 404,
    code: -32601,
    has: ({ isModern, message }) => isModern && !MODERN_METHODS.test(String(message['method'])),
  },
  {
    ofRequest: true,
    status: 400,
    code: -32021,
    has: (asked) =>
      asked.isModern && TASKS.test(String(asked.message['method'])) && !takesTasks(asked),
  },

  {
    ofRequest: true,
    status: 200,
    code: -32602,
    has: (asked) => asked.isModern && !hasParams(asked),
  },

  // Of requests of sessions.
  {
    status: 406,
    has: ({ header, isModern }) =>
      !isModern && /^(?:application\/json|text\/event-stream)$/.test(header('accept') ?? ''),
  },
  {
    status: 400,
    code: -32000,
    has: (asked) => inSession(asked) && asked.header('mcp-session-id') === undefined,
  },
  {
    status: 404,
    code: -32001,
    has: ({ header, isModern }) =>
      !isModern &&
      (header('mcp-session-id') !== '{session}' || header('authorization') === KNOWN_TOKENS[1]),
  },
  {
    status: 400,
    code: -32000,
    has: (asked) => inSession(asked) && ![undefined, '2025-11-25'].includes(version(asked)),
  },
];

/** Of answers to requests without a fault. */
const CODES_OF_ANSWERS = [undefined, -32601, -32602, -32603, -32021, -32055];

/** Whether status and code of the answer are those that the faults of the request lead to. */
export const expectedRule: Rule = (answers, [request]) => {
  const answer = answers.findLast(({ status }) => status >= 200);
  if (answer === undefined || request === undefined) return undefined;
  const asked = askedBy(request);
  const code = codeOf(answer.body);
  const faults = FAULTS.filter(({ has }) => has(asked));
  const isOfFault = faults.some(
    (fault) => fault.status === answer.status && [undefined, code].includes(fault.code),
  );
  if (isOfFault) return undefined;
  const isAnswered =
    (answer.status === (asked.isRequest ? 200 : 202) && CODES_OF_ANSWERS.includes(code)) ||
    (answer.status === 400 && code === -32021 && mayLackCapability(asked));
  const mayAnswer = faults.every(({ ofRequest }) => ofRequest && !asked.isRequest);
  if (mayAnswer && isAnswered) return undefined;
  const expected = faults.map(({ status, code: of }) => `${status} ${of ?? ''}`);
  return `Expected one of [${expected.join(', ')}], got ${answer.status} ${code ?? ''}`;
};

function askedBy({ headers, body }: HostileRequest): Asked {
  const value: unknown =
    body === '' ? undefined : JSON.parse(Buffer.from(body, 'latin1').toString());
  const message = isObject(value) ? value : {};
  const meta = at(message, ['params', '_meta']);
  const header = (name: string): string | undefined =>
    headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const claims = isObject(meta) && META_KEYS.protocolVersion in meta;
  // Answers and batches belong to sessions, whatever they say of their revision.
  const needsSession = Array.isArray(value) || isAnswer(message);
  return {
    header,
    body,
    message,
    meta: isObject(meta) ? meta : undefined,
    isRequest: message['id'] !== undefined && !isAnswer(message),
    isModern: !needsSession && (claims || (header('mcp-protocol-version') ?? '') >= MODERN),
  };
}

function isAnswer({ method, result, error }: JsonObject): boolean {
  return !text(method) && (isObject(result) || isObject(error));
}

function isJsonRpc({ jsonrpc, method, id, params, result }: JsonObject): boolean {
  const hasId = id === undefined || text(id) || Number.isSafeInteger(id);
  if (jsonrpc !== '2.0' || !hasId) return false;
  if (!text(method)) return isObject(result) && id !== undefined;
  return params === undefined || isObject(params);
}

function hasEnvelope({ meta }: Asked): boolean {
  if (meta === undefined) return false;
  const info = meta[META_KEYS.clientInfo];
  const level = meta[META_KEYS.logLevel];
  return (
    text(meta[META_KEYS.protocolVersion]) &&
    isObject(meta[META_KEYS.clientCapabilities]) &&
    (info === undefined || (text(member(info, 'name')) && text(member(info, 'version')))) &&
    (level === undefined || text(level))
  );
}

/** Whether the headers that repeat parts of the body are there, and agree with it. */
function hasHeaders({ header, message }: Asked): boolean {
  const method = String(message['method']);
  if (header('mcp-method')?.trim() !== method || header('mcp-param-shelf') !== undefined) {
    return false;
  }
  const name = at(message, ['params', method === 'tools/call' ? 'name' : 'taskId']);
  const given = header('mcp-name');
  if (!NAMED.test(method)) return true;
  // What is not ASCII comes in Base64 only, which these requests do not have.
  return text(name) ? name === given && /^[\t\x20-\x7e]*$/.test(name) : given === undefined;
}

/** Whether the params of a request about a task are those of its schema. */
function hasParams({ message }: Asked): boolean {
  const { method, params } = message;
  if (!TASKS.test(String(method))) return true;
  const isUpdate = method === 'tasks/update';
  return (
    text(member(params, 'taskId')) && (!isUpdate || isObject(member(params, 'inputResponses')))
  );
}

function takesTasks(asked: Asked): boolean {
  return isObject(member(member(capabilities(asked), 'extensions'), EXTENSION_ID));
}

/** Whether a call may need what its client has not declared: what it asks, or that it becomes a task. */
function mayLackCapability({ isModern, message }: Asked): boolean {
  return isModern && /^(?:asks|task-only)/.test(String(at(message, ['params', 'name'])));
}

function codeOf(body: string): number | undefined {
  const code = /"error":\{"code":(-?\d+)/.exec(body)?.[1];
  return code === undefined || body.includes('"result":{') ? undefined : Number(code);
}
