import { createHmac, hash } from 'node:crypto';

import type { RequestStateCodec, ServerContext } from '@modelcontextprotocol/server';

import { type JsonObject, merged } from '../../tasks/index.js';
import type { AskClient } from '../asks.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import { ANYBODY, callerOf } from '../principal.js';
import { createRequestStateCodec, inputResponses } from '../sdk/index.js';
import { answerProblem } from '../valid-answers.js';

/**
 * Questions of calls in revision 2026-07-28 (multi-round-trip requests): the server answers with the questions,
 * the client sends the request again with the answers, and the work starts from the beginning with them.
 */

/** What the client carries from one round trip to the next, signed: the request's digest and the answers so far. */
interface RequestState {
  readonly request: string;
  readonly answers: JsonObject;
}

export type RequestStates = RequestStateCodec<RequestState>;

const TTL_SECONDS = 600;

/** All processes of a server share `secret`, so that any of them can serve the next round trip. */
export function createRequestStates(secret: Uint8Array): RequestStates {
  const key = createHmac('sha256', secret).update('request state').digest();
  return createRequestStateCodec<RequestState>({ key, ttlSeconds: TTL_SECONDS, bind: ownerOf });
}

/** The owner that a request state is bound to. All users without authorization share one. */
function ownerOf(ctx: ServerContext): string {
  const { authInfo } = ctx.http ?? {};
  return authInfo === undefined ? ANYBODY : callerOf('authorization', 'ext', authInfo).owner;
}

/**
 * Runs `work` until it needs an answer that the client has not given. Resolves with the result of `work`, or
 * with an `input_required` result that holds its questions.
 *
 * Work that waits for an answer never continues: the next round trip starts it again.
 */
export async function multiRoundTrip(
  codec: RequestStates,
  ctx: ServerContext,
  request: unknown,
  work: (ask: AskClient) => Promise<JsonObject>,
): Promise<JsonObject> {
  const digest = (): string => hash('sha256', JSON.stringify(request), 'base64url');
  const answers = await answersOf(codec, ctx, digest);
  const inputRequests = new Map<string, JsonObject>();
  let questions = 0;

  return new Promise((resolve, reject) => {
    const ask: AskClient = async (method, params, { key = `input-${questions + 1}` } = {}) => {
      questions += 1;
      if (Object.hasOwn(answers, key)) return checked(method, params, key, answers[key]);
      // Questions asked together go out together: those that come before the next turn.
      if (inputRequests.size === 0) setImmediate(pause);
      inputRequests.set(key, { method, params });
      return new Promise(() => undefined);
    };

    function pause(): void {
      codec.mint({ request: digest(), answers }, ctx).then((requestState) => {
        const asked = Object.fromEntries(inputRequests);
        resolve({ resultType: 'input_required', inputRequests: asked, requestState });
      }, reject);
    }

    work(ask).then(resolve, reject);
  });
}

async function answersOf(
  codec: RequestStates,
  ctx: ServerContext,
  request: () => string,
): Promise<JsonObject> {
  const state: unknown = ctx.mcpReq.requestState();
  const earlier = state === undefined ? {} : await verified(codec, ctx, state, request());
  return merged(earlier, inputResponses(ctx));
}

async function verified(
  codec: RequestStates,
  ctx: ServerContext,
  state: unknown,
  request: string,
): Promise<JsonObject> {
  try {
    const stored = await codec.verify(String(state), ctx);
    if (stored.request === request) return stored.answers;
  } catch {
    // The client does not learn why its state was refused.
  }
  throw rpcError(INVALID_PARAMS, 'Invalid or expired requestState');
}

/** Throws `-32602` for a wrong answer. The question stays open: the client may send the same state with another answer. */
function checked(method: string, params: JsonObject, key: string, answer: unknown): JsonObject {
  const problem = answerProblem('ext', method, params, answer);
  if (problem === undefined) return answer as JsonObject;
  throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
}
