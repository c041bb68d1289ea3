import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { at } from '../../peer/wire/json.js';
import { LIST_CHANGES } from '../../rules/messages.js';
import type { Session } from '../session.js';
import { Outbox } from './outbox.js';

/**
 * Tells clients what has changed: sessions, and `subscriptions/listen` requests that asked for it. Each function throws a
 * TypeError where the server has no such feature, because it then declares no such change.
 */
export interface Notify {
  /** The list of tools has changed. */
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  /** A resource has changed, for clients that subscribe to its URI. */
  resourceUpdated(uri: string): void;
}

export interface Change {
  readonly method: string;
  /** Of a resource. */
  readonly uri?: string;
}

/** A client that gets changes. */
export interface Follower {
  readonly outbox: Outbox;
  wants(change: Change): boolean;
}

/** Takes changes to the clients of all endpoints of a server. */
export interface Changes {
  readonly notify: Notify;
  /** Tells a session whose handshake is done, until its connection closes. */
  follow(session: Session): void;
  /** Returns what ends it. */
  join(follower: Follower): () => void;
}

/** A change that waits takes the place of the same one. */
export function put(outbox: Outbox, { method, uri }: Change): void {
  const key = uri === undefined ? method : `${method} ${uri}`;
  const params = uri === undefined ? {} : { uri };
  outbox.put(key, () => ({ method, params }));
}

/** `features` is what the server declares, with its guest: no other change may be sent. */
export function createChanges(features: JsonObject, onError: (error: unknown) => void): Changes {
  const followers = new Set<Follower>();

  function changed(change: Change): void {
    for (const follower of followers) {
      if (follower.wants(change)) put(follower.outbox, change);
    }
  }

  function listChanged({
    feature,
    method,
  }: (typeof LIST_CHANGES)[keyof typeof LIST_CHANGES]): void {
    if (!declaresChanges(features, feature)) throw undeclared(feature);
    changed({ method });
  }

  function join(follower: Follower): () => void {
    followers.add(follower);
    return () => void followers.delete(follower);
  }

  return {
    notify: {
      toolsChanged: () => listChanged(LIST_CHANGES.toolsListChanged),
      promptsChanged: () => listChanged(LIST_CHANGES.promptsListChanged),
      resourcesChanged: () => listChanged(LIST_CHANGES.resourcesListChanged),
      resourceUpdated: (uri) => {
        if (!declaresUpdates(features)) throw undeclared(LIST_CHANGES.resourcesListChanged.feature);
        changed({ method: METHODS.notificationsResourcesUpdated, uri });
      },
    },
    join,
    follow(session) {
      const outbox = new Outbox(({ method, params }) => session.notify(method, params), onError);
      const leave = join({
        outbox,
        wants: ({ uri }) => uri === undefined || session.resources.has(uri),
      });
      session.peer.onClosed(() => {
        leave();
        outbox.close();
      });
      outbox.start();
    },
  };
}

function undeclared(
  feature: (typeof LIST_CHANGES)[keyof typeof LIST_CHANGES]['feature'],
): TypeError {
  const maker = { tools: 'defineTool', prompts: 'definePrompt', resources: 'defineResource' };
  return new TypeError(
    `The server does not declare changes of ${feature}: createTaskServer({ ${feature}: [${maker[feature]}({ … })] })`,
  );
}

export function declaresChanges(features: JsonObject, feature: string): boolean {
  return at(features, [feature, 'listChanged']) === true;
}

export function declaresUpdates(features: JsonObject): boolean {
  return at(features, ['resources', 'subscribe']) === true;
}
