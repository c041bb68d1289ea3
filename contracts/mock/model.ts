import { METHODS } from '../../runtime/protocol.js';
import { fingerprint } from '../validate/index.js';
import { Column, Places } from './columns.js';
import { askedIn, createdIn } from './messages.js';
import type { Recorded, Recording } from './recording.js';
import { hasMask, keyOf, maskedKeyOf, matches } from './request-key.js';
import type { RecordedRequest } from './request-key.js';

/** How a recorded request ended, where it has no answer. */
const OPEN = -1;
/** Its client withdrew it, or it lasts as long as its client wants. */
const SILENT = -2;

/** Requests of one name that are compared when a request has no match. */
const SAMPLES = 100;
const MOST_NAMES = 1_000;
const MOST_REVISIONS = 100;
/** Recorded requests that one request is compared with. */
export const MOST_COMPARED = 10_000;
/** Messages of one exchange. A recording with more is played without the others. */
const MOST_STEPS = 100_000;

/** A handshake: which revision was asked for, and which one was settled. */
export interface Handshake {
  readonly exchange: number;
  readonly requested: unknown;
  readonly settled: string;
}

/** An exchange as it was recorded. */
export interface Script {
  readonly exchange: number;
  readonly asked: RecordedRequest;
  readonly revision: string | undefined;
  /** When the request came. */
  readonly begin: number | undefined;
  /** What the server sent and the client answered before the answer. */
  readonly before: readonly Recorded[];
  /** Undefined where the request was withdrawn, or lasts. */
  readonly answer: Recorded | undefined;
  /** What the server sent later. */
  readonly after: readonly Recorded[];
  /** The id of the task that it creates. */
  readonly taskId: string | undefined;
}

/**
 * What a server said, as an index of the recording: some 40 bytes for each request, so that a recording of 1 GB fits
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
  readonly #keys = new Column();
  readonly #requests = new Column();
  readonly #answers = new Column();
  readonly #revisions = new Column();
  readonly #extras = new Places();
  readonly #tasks = new Places();
  #hasMasks = false;

  constructor(recording: Recording) {
    this.recording = recording;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Begins an exchange, and returns its number. */
  asked({ place, message }: Recorded, revision: string | undefined): number {
    const asked = askedIn(message);
    const isMasked = hasMask(asked.params);
    this.#hasMasks ||= isMasked;
    const exchange = this.#keys.push(isMasked ? maskedKeyOf(asked) : keyOf(asked));
    this.#requests.push(place);
    this.#answers.push(asked.method === METHODS.subscriptionsListen ? SILENT : OPEN);
    this.#revisions.push(-1);
    if (revision !== undefined) this.settle(exchange, revision);
    const name = sampleName(asked);
    const known = this.samples.get(name);
    if (known === undefined && this.samples.size < MOST_NAMES) this.samples.set(name, [exchange]);
    else if (known !== undefined && known.length < SAMPLES) known.push(exchange);
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
    this.#tasks.add(fingerprint(taskId), isAct ? -1 - place : place);
  }

  /** The exchanges from a number on with a request that may be this one. They may differ: compare them. */
  *candidates(asked: RecordedRequest, from = 0): Generator<number, void> {
    for (const key of [keyOf(asked), ...(this.#hasMasks ? [maskedKeyOf(asked)] : [])]) {
      for (const exchange of this.#keys.of(key, from)) {
        if (this.#answers.at(exchange) !== OPEN) yield exchange;
      }
    }
  }

  /** The exchanges with this request, of any client. */
  *equalTo(asked: RecordedRequest): Generator<number, void> {
    let compared = 0;
    for (const exchange of this.candidates(asked)) {
      if ((compared += 1) > MOST_COMPARED) return;
      if (matches(this.askedIn(exchange), asked)) yield exchange;
    }
  }

  askedIn(exchange: number): RecordedRequest {
    return askedIn(this.#requestOf(exchange).message);
  }

  /** Undefined where there is none. */
  answerOf(exchange: number): Recorded | undefined {
    const place = this.#answers.at(exchange);
    return place >= 0 ? this.recording.at(place) : undefined;
  }

  /** The id of the task that an exchange creates. */
  createdBy(exchange: number): string | undefined {
    return createdIn(this.answerOf(exchange)?.message);
  }

  revisionOf(exchange: number): string | undefined {
    return this.revisions[this.#revisions.at(exchange)];
  }

  scriptOf(exchange: number): Script {
    const { message, ms: begin } = this.#requestOf(exchange);
    const answer = this.answerOf(exchange);
    const [before, after]: [Recorded[], Recorded[]] = [[], []];
    for (const place of this.#extras.of(exchange)) {
      if (before.length + after.length >= MOST_STEPS) break;
      (place < (answer?.place ?? Infinity) ? before : after).push(this.recording.at(place));
    }
    const taskId = createdIn(answer?.message);
    const revision = this.revisionOf(exchange);
    return { exchange, asked: askedIn(message), revision, begin, before, answer, after, taskId };
  }

  /** The messages that may be about the task, and whether the client did something by each. */
  *historyOf(
    taskId: string,
  ): Generator<{ readonly recorded: Recorded; readonly isAct: boolean }, void> {
    for (const noted of this.#tasks.of(fingerprint(taskId))) {
      const isAct = noted < 0;
      yield { recorded: this.recording.at(isAct ? -1 - noted : noted), isAct };
    }
  }

  #requestOf(exchange: number): Recorded {
    return this.recording.at(this.#requests.at(exchange));
  }
}

/** The method, and the name of the tool or prompt. */
export function sampleName({ method, params }: RecordedRequest): string {
  const name = typeof params['name'] === 'string' ? ` ${params['name'].slice(0, 200)}` : '';
  return `${method.slice(0, 200)}${name}`;
}
