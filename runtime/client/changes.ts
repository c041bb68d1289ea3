import { METHODS } from '../protocol.js';
import { LIST_CHANGES } from '../rules/messages.js';
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
  /** The session has ended, and with it the subscriptions in it. */
  disconnected(): void;
  /** Another session has taken its place. */
  renewed(): void;
}

interface Subscribed {
  subscribers: number;
  readonly begun: Promise<unknown>;
}

const LISTS = /* @__PURE__ */ Object.entries(LIST_CHANGES);
/** Milliseconds before the client reopens a lost stream. */
const REOPEN_AFTER = 5_000;

export function createChanges(
  link: Link,
  listener: Listener,
  onProblem: (error: unknown) => void,
): Changes {
  const subscribers = new Set<(change: Change) => void>();
  /** By URI, in a session: there the server has one subscription of a resource. */
  let resources = new Map<string, Subscribed>();

  async function subscribeInSession(uris: readonly string[]): Promise<() => Promise<void>> {
    const inSession = resources;
    const own: [uri: string, resource: Subscribed][] = [];
    async function end(): Promise<void> {
      for (const [uri, resource] of own.splice(0)) {
        resource.subscribers -= 1;
        if (resource.subscribers > 0 || inSession.get(uri) !== resource) continue;
        inSession.delete(uri);
        // A session that has ended has no subscriptions.
        if (inSession === resources) await link.request(METHODS.resourcesUnsubscribe, { uri });
      }
    }
    try {
      for (const uri of uris) {
        const resource = inSession.get(uri) ?? subscribeTo(uri);
        resource.subscribers += 1;
        own.push([uri, resource]);
        await resource.begun;
      }
    } catch (error) {
      await end().catch(() => undefined);
      throw error;
    }
    return end;
  }

  function subscribeTo(uri: string): Subscribed {
    const inSession = resources;
    const begun = link.request(METHODS.resourcesSubscribe, { uri });
    const resource = { subscribers: 0, begun };
    inSession.set(uri, resource);
    // The server has no subscription that it refused.
    begun.catch(() => inSession.delete(uri));
    return resource;
  }

  async function listen(wanted: Wanted): Promise<() => Promise<void>> {
    const filter = {
      ...Object.fromEntries(
        LISTS.flatMap(([name, { feature }]) => (wanted[feature] ? [[name, true]] : [])),
      ),
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
        if (isOver) return open.close();
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
    disconnected: () => void (resources = new Map()),
    renewed() {
      for (const uri of resources.keys()) {
        link.request(METHODS.resourcesSubscribe, { uri }).catch(onProblem);
      }
    },
    receive(method, { uri }) {
      const list = LISTS.find(([, each]) => each.method === method)?.[1].feature;
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
