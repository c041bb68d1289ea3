import type { ServerExchange } from '../../runtime/server/guest.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { MOST_COMPARED, type Model } from './model.js';
import { type RecordedRequest, isLike, keyOf, matches } from './request-key.js';
import { dialectOfVersion } from './revisions.js';
import { Cursors, type Talk } from './talk.js';

/** How near a recorded exchange has to be, the nearest first. */
const RANKS = ['revision', 'other revision', 'task or not'] as const;

type Rank = (typeof RANKS)[number];

/** Who asks. */
interface Asker {
  readonly cursors: Cursors;
  readonly version: string;
  readonly takesTask: boolean;
}

export type Answer = (
  params: JsonObject,
  exchange: ServerExchange,
) => Promise<JsonObject> | JsonObject;

/** A request, and who asks. */
export interface Asked extends RecordedRequest, Asker {
  /** Undefined for a client without a session. */
  readonly talk: Talk | undefined;
  /** How the server of the runtime answers the method; undefined for one that it does not serve. */
  readonly serve: Answer | undefined;
}

/** The exchange of a request. */
interface Found {
  readonly exchange: number;
  /** Its client spoke the same revision, and wanted a task if this one does. */
  readonly isExact: boolean;
}

/** Finds the recorded exchange of a request. */
export class Matcher {
  readonly #model: Model;
  readonly #isStrict: boolean;
  readonly #anybody: Asker = { cursors: new Cursors(), version: '', takesTask: true };

  /** With `isStrict`, only exchanges in the revision of the client match. */
  constructor(model: Model, isStrict: boolean) {
    this.#model = model;
    this.#isStrict = isStrict;
  }

  /**
   * The exchange to play: of equal requests the next one, and after the last one the last. A request that answers
   * questions gets the exchange with the same answers, or else one with others.
   */
  find(asked: RecordedRequest, asker: Asker): Found | undefined {
    return this.#found(asked, asker, this.#isStrict ? RANKS.slice(0, 1) : RANKS);
  }

  /** The same for a client of no revision. */
  ofAny(asked: RecordedRequest): number | undefined {
    return this.#found(asked, this.#anybody, RANKS.slice(2))?.exchange;
  }

  #found(asked: RecordedRequest, asker: Asker, ranks: readonly Rank[]): Found | undefined {
    const responses = asked.params['inputResponses'];
    const isSame = ({ params }: RecordedRequest): boolean =>
      isLike(params['inputResponses'], responses);
    const found = responses === undefined ? undefined : this.#ranked(asked, asker, ranks, isSame);
    return found ?? this.#ranked(asked, asker, ranks);
  }

  #ranked(
    asked: RecordedRequest,
    asker: Asker,
    ranks: readonly Rank[],
    isFit?: (recorded: RecordedRequest) => boolean,
  ): Found | undefined {
    const { cursors, version, takesTask } = asker;
    const answers = { method: '', params: { answers: asked.params['inputResponses'] } };
    const key = `${keyOf(asked)} ${isFit === undefined ? '' : keyOf(answers)}`;
    for (const rank of ranks) {
      const own = `${key} ${rank} ${version} ${takesTask}`;
      const last = cursors.get(own);
      const next = (isFree?: (exchange: number) => boolean): number | undefined =>
        this.#next(asked, asker, rank, last, isFit, isFree);
      // Requests that differ in masked secrets alone get the answers in order, as equal ones do.
      const exchange = next((each) => !cursors.isOfOther(each, key)) ?? last ?? next();
      if (exchange === undefined) continue;
      cursors.set(own, exchange, key);
      return { exchange, isExact: rank === 'revision' };
    }
    return undefined;
  }

  #next(
    asked: RecordedRequest,
    asker: Asker,
    rank: Rank,
    last = -1,
    isFit?: (recorded: RecordedRequest) => boolean,
    isFree?: (exchange: number) => boolean,
  ): number | undefined {
    let compared = 0;
    for (const exchange of this.#model.candidates(asked, last + 1)) {
      const version = this.#model.revisionOf(exchange) ?? asker.version;
      if (rank === 'revision' && version !== asker.version) continue;
      if (isFree?.(exchange) === false) continue;
      if ((compared += 1) > MOST_COMPARED) break;
      const recorded = this.#model.askedIn(exchange);
      if (!matches(recorded, asked) || isFit?.(recorded) === false) continue;
      if (rank === 'task or not' || this.#isAsTaskAs(exchange, recorded, asker)) return exchange;
    }
    return undefined;
  }

  /** Whether the recorded client wanted a task where this one does. */
  #isAsTaskAs(exchange: number, { params }: RecordedRequest, asker: Asker): boolean {
    const dialect = dialectOfVersion(this.#model.revisionOf(exchange) ?? asker.version);
    if (dialect === 'core' && dialectOfVersion(asker.version) === 'core') {
      return (params['task'] !== undefined) === asker.takesTask;
    }
    return asker.takesTask || this.#model.createdBy(exchange) === undefined;
  }
}
