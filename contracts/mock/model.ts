import { METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject } from '../../runtime/peer/wire/json.js';
import { fingerprint } from '../validate/index.js';
import { Bytes, Keys, Numbers, Places } from './columns.js';
import type { Placed, Recorded, Recording } from './recording.js';
import { hasMask, keyOf, maskedKeyOf } from './request-key.js';
import type { RecordedRequest } from './request-key.js';

/** How a recorded request ended, where it has no answer. */
const OPEN = -1;
/** Its client withdrew it, or it lasts as long as its client wants. */
const SILENT = -2;

/** Requests of one name that are compared when a request has no match. */
const SAMPLES = 100;
const MOST_NAMES = 1_000;
const MOST_REVISIONS = 100;

/** A handshake: which revision was asked for, and which one was settled. */
export interface Handshake {
  readonly exchange: number;
  readonly requested: unknown;
  readonly settled: string;
}

/**
 * What a server said, as an index of the recording: some 20 bytes for each request, so that a recording of 1 GB fits
 * into memory. The messages stay in the file. A request and what belongs to it are an exchange, which has a number.
 */
export class Model {
  readonly recording: Recording;
  readonly revisions: string[] = [];
  readonly handshakes: Handshake[] = [];
  /** `server/discover` requests with answers. */
  readonly discoveries: number[] = [];
  /** Exchanges by what they ask for, some of each name. */
  readonly samples = new Map<string, number[]>();
  answered = 0;
  readonly #keys = new Keys();
  readonly #requests = new Numbers();
  readonly #answers = new Numbers();
  readonly #revisions = new Bytes();
  readonly #extras = new Places();
  readonly #tasks = new Places();
  readonly #acts = new Places();
  #hasMasks = false;

  constructor(recording: Recording) {
    this.recording = recording;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Begins an exchange, and returns its number. */
  asked({ place, message }: Placed, revision: string | undefined): number {
    const asked = askedIn(message);
    const isMasked = hasMask(asked.params);
    this.#hasMasks ||= isMasked;
    const exchange = this.#keys.push(isMasked ? maskedKeyOf(asked) : keyOf(asked));
    this.#requests.push(place);
    this.#answers.push(asked.method === METHODS.subscriptionsListen ? SILENT : OPEN);
    if (revision !== undefined) this.settle(exchange, revision);
    this.#sample(asked, exchange);
    return exchange;
  }

  settle(exchange: number, revision: string): void {
    const known = this.revisions.indexOf(revision);
    // A recording that names more is not of this protocol: the others count as unknown.
    if (known < 0 && this.revisions.length >= MOST_REVISIONS) return;
    this.#revisions.set(exchange, known >= 0 ? known : this.revisions.push(revision) - 1);
  }

  answer(exchange: number, place: number): void {
    this.#answers.set(exchange, place);
    this.answered += 1;
  }

  withdraw(exchange: number): void {
    if (this.#answers.at(exchange) === OPEN) this.#answers.set(exchange, SILENT);
  }

  /** Notes a message that belongs to an exchange, beside its request and answer. */
  belongs(exchange: number, place: number): void {
    this.#extras.add(exchange, place);
  }

  /** Notes a message about a task. `isAct`: the client did something that the task waited for. */
  about(taskId: string, place: number, isAct = false): void {
    const key = fingerprint(taskId);
    this.#tasks.add(key, place);
    if (isAct) this.#acts.add(key, place);
  }

  /** The exchanges from a number on with a request that may be this one. They may differ: compare them. */
  *candidates(asked: RecordedRequest, from = 0): Generator<number, void> {
    yield* this.#playable(keyOf(asked), from);
    if (this.#hasMasks) yield* this.#playable(maskedKeyOf(asked), from);
  }

  requestOf(exchange: number): Recorded {
    return this.recording.at(this.#requests.at(exchange));
  }

  askedIn(exchange: number): RecordedRequest {
    return askedIn(this.requestOf(exchange).message);
  }

  /** Undefined where there is none. */
  answerOf(exchange: number): Recorded | undefined {
    const place = this.#answers.at(exchange);
    return place >= 0 ? this.recording.at(place) : undefined;
  }

  answerPlace(exchange: number): number {
    const place = this.#answers.at(exchange);
    return place >= 0 ? place : Infinity;
  }

  revisionOf(exchange: number): string | undefined {
    const index = this.#revisions.at(exchange);
    return index === undefined ? undefined : this.revisions[index];
  }

  extrasOf(exchange: number): Iterable<number> {
    return this.#extras.of(exchange);
  }

  /** Places of messages that may be about the task. */
  placesOf(taskId: string): Iterable<number> {
    return this.#tasks.of(fingerprint(taskId));
  }

  /** Those of them at which the client did something. */
  actsOn(taskId: string): Iterable<number> {
    return this.#acts.of(fingerprint(taskId));
  }

  *#playable(key: number, from: number): Generator<number, void> {
    for (const exchange of this.#keys.of(key, from)) {
      if (this.#answers.at(exchange) !== OPEN) yield exchange;
    }
  }

  #sample(asked: RecordedRequest, exchange: number): void {
    const name = sampleName(asked);
    const known = this.samples.get(name);
    if (known === undefined && this.samples.size < MOST_NAMES) this.samples.set(name, [exchange]);
    else if (known !== undefined && known.length < SAMPLES) known.push(exchange);
  }
}

/** The method, and the name of the tool or prompt. */
export function sampleName({ method, params }: RecordedRequest): string {
  const name = typeof params['name'] === 'string' ? ` ${params['name'].slice(0, 200)}` : '';
  return `${method.slice(0, 200)}${name}`;
}

export function askedIn(message: JsonObject): RecordedRequest {
  const params = at(message, ['params']);
  return { method: String(message['method']), params: isObject(params) ? params : {} };
}
