import { isRequestId, type RequestId } from '../peer/index.js';
import { META_KEYS, METHODS } from '../protocol.js';
import { deferred, type JsonObject } from '../tasks/index.js';
import { at, isObject } from '../peer/wire/json.js';
import { callError } from './errors.js';
import type { Link } from './link.js';
import { startTimer } from './pacing.js';

/** One open `subscriptions/listen`. */
export interface Listening {
  /** The part of the filter that the server serves. */
  readonly accepted: JsonObject;
  close(): void;
  /** Who ended it. */
  readonly closed: Promise<'local' | 'remote'>;
}

/** Opens streams of notifications, in revisions without sessions. */
export interface Listener {
  /** Resolves when the server has acknowledged the filter. Rejects with a `CallError`. */
  open(filter: JsonObject): Promise<Listening>;
  /** Takes a notification that matches its revision; ignores those of other methods. */
  receive(method: string, params: JsonObject): void;
}

export function createListener(link: Link): Listener {
  /** Streams without their acknowledgement, by the id of the request. */
  const opening = new Map<string, (accepted: JsonObject) => void>();

  return {
    async open(notifications) {
      const acknowledged = deferred<JsonObject>();
      const stop = new AbortController();
      let key = '';
      const onId = (id: RequestId): void => {
        key = String(id);
        opening.set(key, acknowledged.resolve);
      };
      const { signal } = stop;
      const params = { notifications };
      const ended = link.ask(METHODS.subscriptionsListen, params, { signal, onId });
      const closed = ended.then(
        () => 'remote' as const,
        () => (signal.aborted ? ('local' as const) : ('remote' as const)),
      );
      ended.then(
        () => acknowledged.reject(callError('lost', 'The server ended the stream at once')),
        acknowledged.reject,
      );
      const { requestTimeout } = link.limits;
      const late = callError('timeout', `No acknowledgement within ${requestTimeout} ms`);
      const timer = startTimer(requestTimeout, () => stop.abort(late));
      try {
        const accepted = await acknowledged.promise;
        return { accepted, closed, close: () => stop.abort(CLOSED) };
      } finally {
        clearTimeout(timer);
        opening.delete(key);
      }
    },
    receive(method, params) {
      if (method !== METHODS.notificationsSubscriptionsAcknowledged) return;
      const id = at(params, ['_meta', META_KEYS.subscriptionId]);
      const [first] = opening.values();
      // A server that opens one stream at a time may leave the id out.
      const resolve = isRequestId(id) ? opening.get(String(id)) : first;
      const { notifications } = params;
      resolve?.(isObject(notifications) ? notifications : {});
    },
  };
}

/** The reason for ending a stream. No caller sees it. */
const CLOSED = callError('lost', 'The subscription was closed');
