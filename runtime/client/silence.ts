import { startTimer } from './pacing.js';

/** One call that waits for its answer. */
export interface Wait {
  /** The server sent a message about this call. */
  heard(): void;
  /** The call has its answer, or has failed. */
  end(): void;
}

/** Ends calls about which a server sends nothing. */
export interface Silences {
  /** Calls `onSilent` once when the server sends nothing about a call for the limit. */
  watch(onSilent: () => void): Wait;
  /** The server sent a message that may be about any call, such as a log message. */
  heard(): void;
  /** No call is silent while the server waits for the answer to a question. */
  whileAsked<T>(answer: () => Promise<T>): Promise<T>;
}

/** `limit` in milliseconds; 0 for none. */
export function createSilences(limit: number): Silences {
  let heardAt = 0;
  let questions = 0;

  return {
    watch(onSilent) {
      if (limit === 0) return UNWATCHED;
      let since = performance.now();
      let timer = startTimer(limit, check);
      function check(): void {
        const quiet = questions > 0 ? 0 : performance.now() - Math.max(since, heardAt);
        if (quiet >= limit) return onSilent();
        timer = startTimer(limit - quiet, check);
      }
      return {
        heard: () => void (since = performance.now()),
        end: () => clearTimeout(timer),
      };
    },
    heard: () => void (heardAt = performance.now()),
    async whileAsked(answer) {
      questions += 1;
      try {
        return await answer();
      } finally {
        questions -= 1;
        heardAt = performance.now();
      }
    },
  };
}

const UNWATCHED: Wait = { heard: () => undefined, end: () => undefined };
