import type { InputRequest, InputRequiredResult } from '../../../generated/2026-07-28/types.js';
import {
  base64Url,
  hmacSha256,
  type JsonObject,
  merged,
  nextTurn,
  sameText,
  sha256,
} from '../../tasks/index.js';
import { inputRequest } from '../../peer/wire/ext-task.js';
import { isObject } from '../../peer/wire/json.js';
import { answerProblem } from '../valid-answers.js';
import type { AskClient } from '../asks.js';
import type { Round } from '../request-context.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';

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
export function multiRoundTrip<R extends object>(
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
export interface RequestStates {
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
export function createRequestStates(secret: Uint8Array): RequestStates {
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
