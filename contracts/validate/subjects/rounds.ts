import { RESULT_TYPES } from '../../../runtime/rules/messages.js';
import { at, entriesAt, textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS } from '../exchanges.js';
import type { OpenRequest } from '../exchanges.js';
import type { Breach } from '../finding.js';
import { fingerprint } from '../fingerprint.js';
import { requestInfo } from '../protocol.js';
import type { Dialect } from '../protocol.js';
import type { Questions } from './questions.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Conversation, Subject } from './subject.js';

/** An `input_required` result. */
interface Round {
  /** The id of its request. */
  readonly id: string | number;
  /** The hash of `requestState`; `undefined` where the result had none. */
  readonly state: number | undefined;
  /** The keys of `inputRequests`. */
  readonly names: readonly string[];
}

/** Rounds of the same request. Beyond these, its repetitions are not checked. */
const MOST_ROUNDS = 50;

/**
 * Requests that the client repeats with answers, in revisions without sessions. A repetition names the same tool, prompt
 * or resource with the same arguments. Any result to such a request may be the one that it answers.
 */
export class Rounds implements Subject {
  #rounds = new BoundedMap<readonly Round[]>(BOUNDS);

  constructor(
    readonly conversation: Conversation,
    readonly questions: Questions,
  ) {}

  request({ method, params, dialect }: Call, request: OpenRequest): readonly Breach[] {
    const { id, print } = request;
    if (!dialect.stateless || print === undefined) return NOTHING;
    const responses = at(params, 'inputResponses');
    const written = at(params, 'requestState');
    if (responses === undefined && written === undefined) return NOTHING;
    const known = this.#rounds.get(roundsKey(method, print)) ?? [];
    if (known.length === 0 || known.length === MOST_ROUNDS) return NOTHING;
    const state = stateOf(written);
    const matching = known.filter((round) => round.state === state);
    if (matching.length === 0) {
      return this.conversation.exchanges.isRepeatedIn(request) ? NOTHING : [wrongState(state)];
    }
    const breaches = [...repeatedId(matching, id), ...missing(matching, responses)];
    for (const [name, reply] of entriesAt(params, 'inputResponses')) {
      const key = ['params', 'inputResponses', name];
      breaches.push(...this.questions.reply(questionKey(print, state, name), reply, key));
    }
    return breaches;
  }

  answer({ result, request, dialect }: AnsweredRequest): readonly Breach[] {
    const { print, method, id } = request;
    if (!dialect.stateless || print === undefined) return NOTHING;
    if (at(result, 'resultType') !== 'input_required') return NOTHING;
    const state = stateOf(at(result, 'requestState'));
    const asked = entriesAt(result, 'inputRequests');
    const key = roundsKey(method, print);
    const rounds = [
      ...(this.#rounds.get(key) ?? []),
      { id, state, names: asked.map(([name]) => name) },
    ];
    const texts = rounds.flatMap(({ names }) => names);
    this.#rounds.set(key, rounds.slice(-MOST_ROUNDS), texts);
    return asked.flatMap(([name, question]) => {
      const path = ['result', 'inputRequests', name, 'params'];
      const asks = textAt(question, 'method') ?? '';
      return this.questions.ask(
        questionKey(print, state, name),
        asks,
        at(question, 'params'),
        path,
      );
    });
  }
}

/** The hash of a request that may be repeated; `undefined` for other requests. */
export function printOf(method: string, params: unknown, dialect: Dialect): number | undefined {
  const results = requestInfo(method, dialect)?.results;
  if (!results?.includes(RESULT_TYPES.input_required)) return undefined;
  return fingerprint([at(params, 'name') ?? at(params, 'uri'), at(params, 'arguments') ?? null]);
}

function stateOf(written: unknown): number | undefined {
  return written === undefined ? undefined : fingerprint(written);
}

function wrongState(state: number | undefined): Breach {
  const message =
    state === undefined
      ? 'The result that this request answers has a requestState: repeat it here.'
      : 'The requestState is not the one of a result to this request: repeat it unchanged, and send none where there was none.';
  return { code: 'wrong-request-state', message, key: ['params', 'requestState'] };
}

function repeatedId(matching: readonly Round[], id: string | number): readonly Breach[] {
  if (!matching.every((round) => round.id === id)) return NOTHING;
  const message = 'This request repeats another under the same id: use a new one.';
  return [{ code: 'repeated-request-id', message, key: ['id'] }];
}

function missing(matching: readonly Round[], responses: unknown): readonly Breach[] {
  const isComplete = matching.some(({ names }) =>
    names.every((name) => at(responses, name) !== undefined),
  );
  if (isComplete) return NOTHING;
  const message = 'A key of inputRequests has no response here: answer each.';
  return [{ code: 'missing-input-response', message, key: ['params', 'inputResponses'] }];
}

function roundsKey(method: string, print: number): string {
  return `${method} ${String(print)}`;
}

function questionKey(print: number, state: number | undefined, name: string): string {
  return `round ${String(print)} ${String(state)} ${name}`;
}
