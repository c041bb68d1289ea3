import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import { ERROR_CODES, META_KEYS, METHODS } from '../../protocol/index.js';
import { type JsonObject, messageOf } from '../../tasks/index.js';
import type { Operation, Operations } from '../../telemetry/index.js';
import { at, isObject } from '../../wire/json.js';
import type { TaskFeed, TaskSubscriptions } from './task-subscriptions.js';

const { subscriptionId: SUBSCRIPTION_ID } = META_KEYS;

const HONORED = ['params', 'notifications'];

/** A `subscriptions/listen` with `taskIds`, from its arrival to its end. */
interface Listening {
  readonly request: JsonObject;
  feed?: TaskFeed;
  /** Whether the SDK sends notifications of its own on it. */
  shared: boolean;
  /** Whether the feed has had a notification since it was last read. */
  changed: boolean;
  over: boolean;
}

/**
 * A transport for stdio that serves `subscriptions/listen` with `taskIds`, which the SDK does not support.
 * The SDK checks the request first, and its acknowledgement opens the feed of the tasks.
 */
export function listeningTransport(
  inner: Transport,
  subscriptions: TaskSubscriptions,
  onError: (error: unknown) => void,
  operations: Operations,
): Transport {
  const listenings = new Map<unknown, Listening>();
  /** Requests that are not acknowledged yet. The SDK serves them without a connection. */
  const opening = new Map<unknown, Operation>();

  function receive(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && message.method === METHODS.subscriptionsListen) {
      const operation = operations.received(message, () => ({ transport: 'pipe' }));
      opening.set(message.id, operation);
    }
    if (subscriptions.names(message) && 'id' in message) {
      listenings.set(message['id'], {
        request: message,
        shared: false,
        changed: false,
        over: false,
      });
    } else if ('method' in message && message.method === METHODS.notificationsCancelled) {
      end(at(message, ['params', 'requestId']));
    }
    outer.onmessage?.(message);
  }

  /** It is acknowledged or refused. How long it then lasts says nothing about the server. */
  function opened(id: unknown, answer?: JSONRPCMessage): void {
    opening.get(id)?.end(answer as object | undefined);
    opening.delete(id);
  }

  function end(id: unknown): void {
    const listening = listenings.get(id);
    if (listening === undefined) return;
    listening.over = true;
    listening.feed?.close();
    listenings.delete(id);
  }

  async function begin(id: unknown, listening: Listening, message: JsonObject): Promise<void> {
    try {
      const ids = subscriptions.idsIn(listening.request);
      const feed = await subscriptions.open(
        ids,
        { id, authInfo: undefined },
        () => void pump(id, listening),
      );
      if (listening.over) {
        opened(id);
        return feed.close();
      }
      listening.shared = Object.keys(at(message, HONORED) ?? {}).length > 0;
      opened(id);
      await inner.send(feed.acknowledged(message) as JSONRPCMessage);
      listening.feed = feed;
      await pump(id, listening);
    } catch (error) {
      dismiss(id);
      const refusal = { jsonrpc: '2.0', id: id as string, error: errorOf(error) } as const;
      opened(id, refusal);
      await inner.send(refusal);
    }
  }

  /** Ends a request that the SDK accepted, as if the client had cancelled it. */
  function dismiss(id: unknown): void {
    end(id);
    outer.onmessage?.({
      jsonrpc: '2.0',
      method: METHODS.notificationsCancelled,
      params: { requestId: id as string },
    });
  }

  /** Sends one at a time, of all subscriptions together, so that one notification waits for the pipe. */
  let turn = Promise.resolve();
  function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const done = turn.then(work);
    turn = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async function sendNext(listening: Listening): Promise<boolean> {
    const notification = await listening.feed?.next();
    if (notification === undefined || listening.over) return false;
    await inner.send(notification as JSONRPCMessage);
    return true;
  }

  const pumping = new Set<Listening>();
  async function pump(id: unknown, listening: Listening): Promise<void> {
    const { feed } = listening;
    listening.changed = true;
    if (feed === undefined || pumping.has(listening)) return;
    pumping.add(listening);
    try {
      while (listening.changed) {
        listening.changed = false;
        while (await inTurn(() => sendNext(listening)));
      }
      if (!listening.over && !listening.shared && feed.over) {
        dismiss(id);
        const result = { resultType: 'complete', _meta: { [SUBSCRIPTION_ID]: id } };
        await inner.send({ jsonrpc: '2.0', id: id as string, result });
      }
    } catch (error) {
      onError(error);
    } finally {
      pumping.delete(listening);
    }
  }

  const outer: Transport = {
    async start() {
      inner.onmessage = receive;
      inner.onclose = () => {
        for (const operation of opening.values()) operation.end('connection_closed');
        for (const id of listenings.keys()) end(id);
        outer.onclose?.();
      };
      inner.onerror = (error) => outer.onerror?.(error);
      await inner.start();
    },
    async send(message, options) {
      if (
        'method' in message &&
        message.method === METHODS.notificationsSubscriptionsAcknowledged
      ) {
        const id = at(message, ['params', '_meta', SUBSCRIPTION_ID]);
        const listening = listenings.get(id);
        if (listening !== undefined) return begin(id, listening, message);
        opened(id);
      }
      if (!('method' in message)) {
        opened(message.id, message);
        end(message.id);
      }
      await inner.send(message, options);
    },
    close: () => inner.close(),
  };
  return outer;
}

function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, data } = isObject(error) ? error : {};
  return {
    code: Number.isSafeInteger(code) ? Number(code) : ERROR_CODES.InternalError,
    message: messageOf(error),
    ...(data !== undefined && { data }),
  };
}
