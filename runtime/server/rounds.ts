import { createHash, createHmac } from 'node:crypto';

import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { InputOptions, JsonObject } from '../tasks/index.js';
import { answerProblem } from './valid-answers.js';
import { INVALID_PARAMS, rpcError } from './errors.js';
import { isObject } from '../wire/json.js';

/**
 * Questions during a plain request of revision 2026-07-28: the request is answered with what is to be
 * asked, and comes again with the answers. The work then starts from the beginning and meets them.
 */
export type AskClient = (
  method: string,
  params: JsonObject,
  options?: InputOptions,
) => Promise<JsonObject>;

/** What travels through the client between rounds, signed: answers given, and to which request. */
interface RoundState {
  readonly request: string;
  readonly answers: JsonObject;
}

export type RoundCodec = RequestStateCodec<RoundState>;

const TTL_SECONDS = 600;

/** `secret` is shared by all processes of a server, so that any of them serves the next round. */
export function createRoundCodec(
  secret: Uint8Array,
  ownerOf: (ctx: ServerContext) => string,
): RoundCodec {
  const key = createHmac('sha256', secret).update('request state').digest();
  return createRequestStateCodec<RoundState>({ key, ttlSeconds: TTL_SECONDS, bind: ownerOf });
}

/**
 * Runs `work` as far as the answers reach. Resolves with its result or with an `input_required` one.
 *
 * Work that waits for an answer is left behind, never to go on: it starts anew in the next round.
 */
export async function inRounds(
  codec: RoundCodec,
  ctx: ServerContext,
  request: unknown,
  work: (ask: AskClient) => Promise<JsonObject>,
): Promise<JsonObject> {
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
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
      codec.mint({ request: digest, answers }, ctx).then((requestState) => {
        const asked = Object.fromEntries(inputRequests);
        resolve({ resultType: 'input_required', inputRequests: asked, requestState });
      }, reject);
    }

    work(ask).then(resolve, reject);
  });
}

async function answersOf(
  codec: RoundCodec,
  ctx: ServerContext,
  request: string,
): Promise<JsonObject> {
  const state: unknown = ctx.mcpReq.requestState();
  const given: unknown = ctx.mcpReq.inputResponses;
  const earlier = state === undefined ? {} : await verified(codec, ctx, state, request);
  return { ...earlier, ...(isObject(given) ? given : {}) };
}

async function verified(
  codec: RoundCodec,
  ctx: ServerContext,
  state: unknown,
  request: string,
): Promise<JsonObject> {
  try {
    const round = await codec.verify(String(state), ctx);
    if (round.request === request) return round.answers;
  } catch {
    // Why it is not good is nobody's business but ours.
  }
  throw rpcError(INVALID_PARAMS, 'Invalid or expired requestState');
}

/** The question stays open: the same state with another answer is the next round. */
function checked(method: string, params: JsonObject, key: string, answer: unknown): JsonObject {
  const problem = answerProblem('ext', method, params, answer);
  if (problem === undefined) return answer as JsonObject;
  throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
}
