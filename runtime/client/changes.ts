import { METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import type { Link } from './link.js';
import type { Listener } from './listen.js';
import { pause } from './pacing.js';

/** Changes of a server that an application wants to know. */
export interface Wanted {
  /** The lists of tools, prompts and resources. */
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** Resources. */
  readonly uris?: readonly string[];
}

/** A list that changed, or a resource. */
export type Change =
  | { readonly list: 'tools' | 'prompts' | 'resources'; readonly uri?: undefined }
  | { readonly uri: string; readonly list?: undefined };

export interface Changes {
  /** Resolves when the server notifies. Rejects with a `CallError`. */
  subscribe(
    wanted: Wanted,
    listener: (change: Change) => void,
  ): Promise<{ close(): Promise<void> }>;
  /** Takes a notification that matches its revision; ignores those of other methods. */
  receive(method: string, params: JsonObject): void;
}

const LISTS: Readonly<Record<string, NonNullable<Change['list']> | undefined>> = {
  [METHODS.notificationsToolsListChanged]: 'tools',
  [METHODS.notificationsPromptsListChanged]: 'prompts',
  [METHODS.notificationsResourcesListChanged]: 'resources',
};
/** Milliseconds before the client reopens a lost stream. */
const REOPEN_AFTER = 5_000;

export function createChanges(
  link: Link,
  listener: Listener,
  onProblem: (error: unknown) => void,
): Changes {
  const subscribers = new Set<(change: Change) => void>();
  /** Subscribers of each resource, in sessions, where the server has one subscription of it. */
  const counts = new Map<string, number>();

  async function subscribeInSession(uris: readonly string[]): Promise<() => Promise<void>> {
    for (const uri of uris) {
      const count = counts.get(uri) ?? 0;
      if (count === 0) await link.request(METHODS.resourcesSubscribe, { uri });
      counts.set(uri, count + 1);
    }
    return async () => {
      for (const uri of uris) {
        const count = (counts.get(uri) ?? 1) - 1;
        if (count > 0) counts.set(uri, count);
        else if (counts.delete(uri)) await link.request(METHODS.resourcesUnsubscribe, { uri });
      }
    };
  }

  async function listen(wanted: Wanted): Promise<() => Promise<void>> {
    const filter = {
      ...(wanted.tools && { toolsListChanged: true }),
      ...(wanted.prompts && { promptsListChanged: true }),
      ...(wanted.resources && { resourcesListChanged: true }),
      ...(wanted.uris && { resourceSubscriptions: [...wanted.uris] }),
    };
    let isOver = false;
    let open = await listener.open(filter);
    void keepOpen();
    async function keepOpen(): Promise<void> {
      for (;;) {
        await open.closed;
        await new Promise<void>((resolve) => pause(REOPEN_AFTER, resolve));
        if (isOver || !link.isOpen) return;
        open = await listener.open(filter).catch(() => open);
      }
    }
    return () => {
      isOver = true;
      open.close();
      return Promise.resolve();
    };
  }

  return {
    async subscribe(wanted, notify) {
      const uris = new Set(wanted.uris);
      const own = (change: Change): void => {
        if (change.list === undefined ? uris.has(change.uri) : wanted[change.list]) notify(change);
      };
      subscribers.add(own);
      try {
        const end =
          link.dialect === 'ext' ? await listen(wanted) : await subscribeInSession([...uris]);
        return {
          async close() {
            subscribers.delete(own);
            await end();
          },
        };
      } catch (error) {
        subscribers.delete(own);
        throw error;
      }
    },
    receive(method, { uri }) {
      const list = LISTS[method];
      const isResource = method === METHODS.notificationsResourcesUpdated;
      if (list === undefined && !isResource) return;
      const change: Change = list === undefined ? { uri: String(uri) } : { list };
      for (const each of subscribers) {
        try {
          each(change);
        } catch (error) {
          onProblem(error);
        }
      }
    },
  };
}
