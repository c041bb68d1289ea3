import type { Handler } from '../../peer/index.js';
import type { Implementation } from '../../../generated/2025-11-25/types.js';
import type { GetTaskResult, UpdateTaskRequest } from '../../../generated/ext-tasks/types.js';
import type { InputRequiredResult, InputRequest } from '../../../generated/2026-07-28/types.js';
import { type EXTENSION_ID, META_KEYS, METHODS } from '../../protocol.js';
import {
  type Answers,
  type InputEntry,
  isTerminal,
  type JsonObject,
  merged,
  outstanding,
  type Slot,
  toolErrorResult,
  base64Url,
  hmacSha256,
  nextTurn,
  sameText,
  sha256,
} from '../../tasks/index.js';
import { CACHEABLE, COMPLETE, NOT_CACHED } from '../../rules/messages.js';
import type { VersionOf } from '../../peer/wire/messages.js';
import { toDetailedTask, toExtTask, inputRequest } from '../../peer/wire/ext-task.js';
import { isObject } from '../../peer/wire/json.js';
import { answerProblem } from '../valid-answers.js';
import { type AskClient, assertAskable } from '../asks.js';
import { INTERNAL_ERROR, INVALID_PARAMS, rpcError, tasksNotDeclared } from '../errors.js';
import { discoverRows } from '../features/lifecycle.js';
import { listenRows } from '../features/listen.js';
import {
  type BaseRows,
  clientCapabilitiesOf,
  type FeatureRows,
  type ServerExchange,
  type ServerOrigin,
  declaresTasks,
} from '../session.js';
import type { ServerTool } from '../tool.js';
import type {
  CallAnswer,
  DialectModule,
  Endpoint,
  Questioned,
  StoredCall,
  TaskDialect,
  ToolCallRequest,
} from '../endpoint.js';
import type { Round } from '../controls.js';

/** The tasks extension of revision 2026-07-28: the server decides what becomes a task; `tasks/get` has its result. */
export function serveExt(endpoint: Omit<Endpoint, 'dialect'>): TaskDialect {
  return new ExtDialect(endpoint);
}

type Rows = FeatureRows<typeof EXTENSION_ID, VersionOf<'ext'>>;

interface OfTask {
  readonly taskId: string;
}

class ExtDialect implements TaskDialect {
  readonly name = 'ext';
  readonly rows: Rows;
  readonly #endpoint: Omit<Endpoint, 'dialect'>;
  readonly #requestStates: RequestStates;

  constructor(endpoint: Omit<Endpoint, 'dialect'>) {
    this.#endpoint = endpoint;
    this.#requestStates = createRequestStates(endpoint.secret);
    this.rows = {
      [METHODS.tasksGet]: declared((params, exchange) => this.#get(params, exchange)),
      [METHODS.tasksUpdate]: declared((params, exchange) => this.#update(params, exchange)),
      [METHODS.tasksCancel]: declared((params, exchange) => this.#cancel(params, exchange)),
    };
  }

  /** The server decides. A client that does not declare the extension gets no task. */
  becomesTask({ tool, exchange }: ToolCallRequest): boolean {
    if (tool.taskSupport === 'forbidden') return false;
    const isDeclared = this.#endpoint.serves.tasks && declaresTasks(clientCapabilitiesOf(exchange));
    if (tool.taskSupport === 'required' && !isDeclared) throw tasksNotDeclared();
    return isDeclared;
  }

  /** Questions are the answer to the request, which the client then repeats: it keeps no slot between. */
  withQuestions<R extends object>(
    { params, caller, asking, request }: Questioned,
    _slot: Slot | undefined,
    work: (ask: AskClient) => Promise<R>,
  ): Promise<R | InputRequiredResult> {
    const round = { params, owner: caller.owner, request };
    return multiRoundTrip(this.#requestStates, round, (ask) =>
      work(async (method, question, options) => {
        assertAskable(asking(), 'ext', method, question);
        return ask(method, question, options);
      }),
    );
  }

  questionsOfRun({ tool }: ToolCallRequest, ask: AskClient): AskClient {
    if (tool.retryable) return ask;
    // A tool that says it asks is not started in vain, unless `prepare` may be what asks.
    const runAsks = tool.prepare === undefined && (tool.asks ?? []).length > 0;
    if (runAsks) throw notRetryable(tool);
    return () => Promise.reject(notRetryable(tool));
  }

  async createTask(
    { tool, caller, identity, exchange }: ToolCallRequest,
    stored: StoredCall,
  ): Promise<CallAnswer> {
    // The server decides what becomes a task: a call that has failed already does not.
    if (stored.refused !== undefined) return toolErrorResult('ext', stored.refused);
    const task = await this.#endpoint.engine.create(caller, {
      method: METHODS.toolsCall,
      tool: tool.name,
      args: stored,
      ...(identity && { caller: identity }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    return { resultType: 'task', ...toExtTask(task) };
  }

  async #get({ taskId }: OfTask, exchange: ServerExchange): Promise<GetTaskResult> {
    const { engine, callerOf } = this.#endpoint;
    return merged(COMPLETE, toDetailedTask(await engine.get(callerOf(exchange), taskId)));
  }

  async #cancel({ taskId }: OfTask, exchange: ServerExchange): Promise<typeof COMPLETE> {
    const { engine, callerOf } = this.#endpoint;
    await engine.cancel(callerOf(exchange), taskId);
    return COMPLETE;
  }

  async #update(
    { taskId, inputResponses: given }: UpdateTaskRequest['params'],
    exchange: ServerExchange,
  ): Promise<typeof COMPLETE> {
    const { engine, callerOf } = this.#endpoint;
    const caller = callerOf(exchange);
    const { id, input, status } = await engine.get(caller, taskId);
    const refused = (reason: string): void =>
      engine.refused({ ...caller, id, method: METHODS.tasksUpdate }, reason);
    const questions = outstanding(input);
    const keys = new Set(questions.map(({ key }) => key));
    if (Object.keys(given).some((key) => !keys.has(key))) {
      refused(isTerminal(status) ? 'ended' : 'not_asked');
    }
    await engine.answer(caller, taskId, answersTo(questions, given, refused));
    return COMPLETE;
  }
}

/** For clients that declare the extension. */
function declared<P, R>(
  answer: Handler<ServerOrigin, P, R>,
): { readonly answer: Handler<ServerOrigin, P, R> } {
  return {
    answer(params, exchange) {
      if (!declaresTasks(clientCapabilitiesOf(exchange))) throw tasksNotDeclared();
      return answer(params, exchange);
    },
  };
}

/**
 * The responses that answer a question. Throws `-32602` for one that is not what its question asks for: then
 * none is taken, and the questions stay open.
 */
function answersTo(
  questions: readonly InputEntry[],
  given: UpdateTaskRequest['params']['inputResponses'],
  refused: (reason: string) => void,
): Answers {
  const answers = new Map<string, Answers[string]>();
  for (const { key, method, params } of questions) {
    const result = given[key];
    if (result === undefined || !Object.hasOwn(given, key)) continue;
    const problem = answerProblem('ext', method, JSON.parse(params) as JsonObject, result);
    if (problem !== undefined) {
      refused('invalid_params');
      throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
    }
    answers.set(key, { result });
  }
  return Object.fromEntries(answers);
}

/** Its run would start again for the answer, and must not. */
function notRetryable(tool: ServerTool): Error {
  return tool.taskSupport === 'forbidden'
    ? rpcError(
        INTERNAL_ERROR,
        `Tool ${tool.name} asks for input, for which a call of this revision starts again, or becomes a task: set retryable: true, or taskSupport: 'optional'`,
      )
    : tasksNotDeclared();
}

/** Revisions without sessions. */
export const EXT: DialectModule = {
  name: 'ext',
  serve: serveExt,
  complete: (result, { method }, serverInfo) => completeResult(method, result, serverInfo),
  rows: (endpoint): BaseRows<'ext'> => ({ ...discoverRows(endpoint), ...listenRows(endpoint) }),
};

/**
 * Adds what every result of 2026-07-28 carries: that it is complete, unless it says otherwise, who answered, and for how
 * long it may be kept.
 */
export function completeResult(
  method: string,
  given: JsonObject,
  serverInfo: Implementation,
): JsonObject {
  let result = 'resultType' in given ? given : merged(given, COMPLETE);
  if (
    CACHEABLE.has(method) &&
    result['resultType'] === COMPLETE.resultType &&
    !('ttlMs' in result)
  ) {
    // The server may change at any time.
    result = merged(result, NOT_CACHED);
  }
  const { _meta: meta } = result;
  const own = { [META_KEYS.serverInfo]: serverInfo };
  if (meta === undefined) return merged(result, { _meta: own });
  if (!isObject(meta) || meta[META_KEYS.serverInfo] !== undefined) return result;
  return merged(result, { _meta: merged(meta, own) });
}

/** A request that may come again with answers. */
interface Asked {
  readonly params: Round;
  /** The owner that its state belongs to. */
  readonly owner: string;
  /** What has to be the same in each round trip. */
  readonly request: unknown;
}

/**
 * Questions of requests in revision 2026-07-28 (multi-round-trip requests): the server answers with the questions, the
 * client sends the request again with the answers, and the work starts from the beginning with them.
 *
 * Runs `work` until it needs an answer that the client has not given. Resolves with the result of `work`, or
 * with an `input_required` result that holds its questions. Work that waits for an answer never continues.
 */
function multiRoundTrip<R extends object>(
  states: RequestStates,
  round: Asked,
  work: (ask: AskClient) => Promise<R>,
): Promise<R | InputRequiredResult> {
  return new Promise((resolve, reject) => {
    const answers = answersIn(states, round);
    const inputRequests = new Map<string, InputRequest>();
    let questions = 0;

    const ask: AskClient = async (method, params, { key = `input-${questions + 1}` } = {}) => {
      questions += 1;
      if (Object.hasOwn(answers, key)) return checked(method, params, key, answers[key]);
      // Questions asked together go out together: those that come before the next turn.
      if (inputRequests.size === 0) nextTurn(pause);
      inputRequests.set(key, inputRequest(method, params));
      return new Promise(() => undefined);
    };

    function asked(): InputRequiredResult {
      const request = states.digest(round.request);
      const requestState = states.sign({ request, answers }, round.owner);
      return {
        resultType: 'input_required',
        inputRequests: Object.fromEntries(inputRequests),
        requestState,
      };
    }

    function pause(): void {
      // Arguments that are nested too deeply reject.
      resolve(new Promise((done) => done(asked())));
    }

    work(ask).then(resolve, reject);
  });
}

const NONE: JsonObject = {};

function answersIn(states: RequestStates, round: Asked): JsonObject {
  const { requestState, inputResponses } = round.params;
  const given = isObject(inputResponses) ? inputResponses : NONE;
  if (requestState === undefined) return given;
  const state = states.verified(requestState, round.owner);
  if (state?.request === states.digest(round.request)) {
    return merged(state?.answers ?? NONE, given);
  }
  // The client does not learn why its state was refused.
  throw rpcError(INVALID_PARAMS, 'Invalid or expired requestState');
}

/** Throws `-32602` for a wrong answer. The question stays open: the client may send the same state with another answer. */
function checked(method: string, params: JsonObject, key: string, answer: unknown): JsonObject {
  const problem = answerProblem('ext', method, params, answer);
  if (problem === undefined) return answer as JsonObject;
  throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
}

/** What a client carries from one round trip to the next: the digest of its request, and the answers so far. */
interface RequestState {
  readonly request: string;
  readonly answers: JsonObject;
}

/** Signs states, because a client could change what it carries. */
interface RequestStates {
  /** The text for the client of this owner. Throws `-32602` for one that `verified` would refuse by its length. */
  sign(state: RequestState, owner: string): string;
  /** The state; undefined for a text that was changed, has expired, or is another owner's. */
  verified(text: unknown, owner: string): RequestState | undefined;
  /** A short text that stands for a value. */
  digest(value: unknown): string;
}

interface Signed extends RequestState {
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const TTL_MS = 600_000;
/** Characters of a state. Beyond, it is refused before anything is computed of it. */
const MAX_STATE = 256 * 1024;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** All processes of a server share `secret`, so that any of them can serve the next round trip. */
function createRequestStates(secret: Uint8Array): RequestStates {
  // A key of its own, because the secret signs cursors too.
  const hmac = hmacSha256(hmacSha256(secret)(ENCODER.encode('request state')));

  const stateOf = (payload: Uint8Array): string => `${textOf(payload)}.${base64Url(hmac(payload))}`;

  return {
    sign({ request, answers }, owner) {
      const signed: Signed = { request, answers, owner, expires: Date.now() + TTL_MS };
      const text = stateOf(ENCODER.encode(JSON.stringify(signed)));
      if (text.length <= MAX_STATE) return text;
      const what = `The answers need a requestState of more than ${MAX_STATE} characters`;
      throw rpcError(INVALID_PARAMS, `${what}: answer with less, or call the tool as a task`);
    },
    verified(text, owner) {
      if (typeof text !== 'string' || text.length > MAX_STATE) return undefined;
      const [encoded = ''] = text.split('.', 1);
      const payload = bytesOf(encoded);
      // The texts are compared: base64url has several spellings of the same bytes.
      if (payload === undefined || !sameText(text, stateOf(payload))) return undefined;
      const signed = JSON.parse(DECODER.decode(payload)) as Signed;
      if (signed.owner !== owner || signed.expires < Date.now()) return undefined;
      return isObject(signed.answers) ? signed : undefined;
    },
    digest: (value) => base64Url(sha256(ENCODER.encode(JSON.stringify(value)))),
  };
}

/** Bytes that become characters at once: more arguments could overflow the stack. Whole groups of three. */
const SLICE = 3 * 2 ** 11;

function textOf(bytes: Uint8Array): string {
  if (bytes.length <= SLICE) return base64Url(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    text += base64Url(bytes.subarray(at, at + SLICE));
  }
  return text;
}

/** Undefined for a text that is not Base64. */
function bytesOf(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}
