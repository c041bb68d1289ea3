import { type Call, dialectOf, takesTask } from './call.js';
import type { Model } from './model.js';
import { type RecordedRequest, isLike, keyOf, matches } from './request-key.js';
import { dialectOfVersion } from './revisions.js';
import { createdIn } from './tasks-in.js';

/** How near a recorded exchange has to be, the nearest first. */
const RANKS = ['revision', 'dialect', 'other dialect', 'task or not'] as const;

type Rank = (typeof RANKS)[number];

/** Recorded requests that one request is compared with. */
const MOST_COMPARED = 10_000;

/** Finds the recorded exchange of a request. */
export class Matcher {
  readonly #model: Model;
  readonly #isStrict: boolean;

  /** With `isStrict`, only exchanges in the revision of the client match. */
  constructor(model: Model, isStrict: boolean) {
    this.#model = model;
    this.#isStrict = isStrict;
  }

  /**
   * The exchange to play: of equal requests the next one, and after the last one the last. A request that answers
   * questions gets the exchange with the same answers, or else one with others.
   */
  find(asked: RecordedRequest, call: Call): number | undefined {
    const responses = asked.params['inputResponses'];
    const found =
      responses === undefined
        ? undefined
        : this.#ranked(asked, call, ({ params }) => isLike(params['inputResponses'], responses));
    return found ?? this.#ranked(asked, call);
  }

  /** The exchanges with equal requests, of any client. */
  *equalTo(exchange: number): Generator<number, void> {
    const asked = this.#model.askedIn(exchange);
    let compared = 0;
    for (const each of this.#model.candidates(asked)) {
      if ((compared += 1) > MOST_COMPARED) return;
      if (matches(this.#model.askedIn(each), asked)) yield each;
    }
  }

  #ranked(
    asked: RecordedRequest,
    call: Call,
    isFit?: (recorded: RecordedRequest) => boolean,
  ): number | undefined {
    const key = `${keyOf(asked)} ${isFit === undefined ? '' : keyOf({ method: '', params: { answers: asked.params['inputResponses'] } })}`;
    for (const rank of this.#isStrict ? RANKS.slice(0, 1) : RANKS) {
      const own = `${key} ${rank} ${call.exchange.revision.version} ${takesTask(call)}`;
      const last = call.cursors.get(own);
      // Requests that differ in masked secrets alone get the answers in order, as equal ones do.
      const isFree = (exchange: number): boolean => !call.cursors.isOfOther(exchange, key);
      const found =
        this.#next(asked, call, rank, last, isFit, isFree) ??
        last ??
        this.#next(asked, call, rank, last, isFit);
      if (found === undefined) continue;
      call.cursors.set(own, found, key);
      return found;
    }
    return undefined;
  }

  #next(
    asked: RecordedRequest,
    call: Call,
    rank: Rank,
    last: number | undefined,
    isFit?: (recorded: RecordedRequest) => boolean,
    isFree?: (exchange: number) => boolean,
  ): number | undefined {
    let compared = 0;
    for (const exchange of this.#model.candidates(asked, (last ?? -1) + 1)) {
      if (!this.#isIn(exchange, rank, call) || isFree?.(exchange) === false) continue;
      if ((compared += 1) > MOST_COMPARED) break;
      const recorded = this.#model.askedIn(exchange);
      if (!matches(recorded, asked) || isFit?.(recorded) === false) continue;
      if (rank === 'task or not' || this.#isAsTaskAs(exchange, recorded, call)) return exchange;
    }
    return undefined;
  }

  #isIn(exchange: number, rank: Rank, call: Call): boolean {
    const version = this.#model.revisionOf(exchange);
    if (rank === 'revision')
      return (version ?? call.exchange.revision.version) === call.exchange.revision.version;
    if (rank === 'dialect') return dialectOfVersion(version) === dialectOf(call);
    return true;
  }

  /** Whether the recorded client wanted a task where this one does. */
  #isAsTaskAs(exchange: number, { params }: RecordedRequest, call: Call): boolean {
    const dialect = dialectOfVersion(this.#model.revisionOf(exchange));
    if (dialect === 'core' && dialectOf(call) === 'core') {
      return (params['task'] !== undefined) === takesTask(call);
    }
    return (
      takesTask(call) || createdIn(this.#model.answerOf(exchange)?.message['result']) === undefined
    );
  }
}
