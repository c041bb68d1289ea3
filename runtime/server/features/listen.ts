import { META_KEYS, METHODS } from '../../protocol.js';
import { merged, overLimit } from '../../tasks/index.js';
import type { ParamsIn, ResultIn, VersionOf } from '../../peer/wire/messages.js';
import { messagesOf, tasksExtension } from '../../peer/wire/revision.js';
import { assertShort, INVALID_PARAMS, rpcError, tasksNotDeclared } from '../errors.js';
import {
  clientCapabilitiesOf,
  type BaseRows,
  type ServerExchange,
  declaresTasks,
} from '../session.js';
import { type Change, declaresChanges, declaresUpdates, put } from './changes.js';
import { LIST_CHANGES } from '../../rules/messages.js';
import { Outbox } from './outbox.js';
import type { Endpoint } from '../endpoint.js';
import { openTaskFeed } from './task-feed.js';
import { assertWatchable, MOST_CHARACTERS } from './watching.js';

/** Suggested to a client when too many requests are open. */
const RETRY_AFTER_MS = 10_000;
/** Tasks of one request. */
const MOST_TASKS = 1_000;

type Listen = typeof METHODS.subscriptionsListen;
type Filter = ParamsIn<VersionOf<'ext'>, Listen>['notifications'];

/** `subscriptions/listen` of requests without sessions. */
export function listenRows(endpoint: Endpoint): Pick<BaseRows<'ext'>, Listen> {
  const { maxSubscriptions = 10_000 } = endpoint;
  let open = 0;
  return {
    [METHODS.subscriptionsListen]: {
      async answer(params, exchange) {
        // An open request keeps its params, and there may be 10,000 of them.
        assertShort('The params of a subscription', params, MOST_CHARACTERS);
        const wanted = wantedIn(endpoint, params.notifications, exchange);
        if (open >= maxSubscriptions) {
          throw overLimit('maxSubscriptions', maxSubscriptions, RETRY_AFTER_MS);
        }
        open += 1;
        try {
          return await listen(endpoint, wanted, exchange);
        } finally {
          open -= 1;
        }
      },
    },
  };
}

/** What a request asks for, as far as the server has it. */
interface Wanted {
  /** Members of the filter. */
  readonly lists: readonly (keyof typeof LIST_CHANGES)[];
  readonly uris: readonly string[];
  /** Undefined where the request names no tasks, or none can be followed. */
  readonly taskIds: readonly string[] | undefined;
}

/** Throws `-32602` for an invalid filter, and `-32021` for tasks from a client that does not declare them. */
function wantedIn(endpoint: Endpoint, filter: Filter, exchange: ServerExchange): Wanted {
  const declared = endpoint.capabilitiesIn(exchange.revision);
  const uris = [...new Set(filter.resourceSubscriptions)];
  assertWatchable(uris);
  return {
    lists: (Object.keys(LIST_CHANGES) as (keyof typeof LIST_CHANGES)[]).filter(
      (each) => filter[each] === true && declaresChanges(declared, LIST_CHANGES[each].feature),
    ),
    uris: declaresUpdates(declared) ? uris : [],
    taskIds: endpoint.serves.tasks && 'taskIds' in filter ? taskIdsIn(filter, exchange) : undefined,
  };
}

function taskIdsIn(filter: Filter, exchange: ServerExchange): readonly string[] {
  if (!declaresTasks(clientCapabilitiesOf(exchange))) throw tasksNotDeclared();
  const checked = tasksExtension().validateTaskSubscriptionNotifications(filter);
  if (!checked.ok) {
    const problems = checked.errors.map(({ pointer, message }) => ({
      message: pointer === '' ? message : `/params/notifications${message}`,
    }));
    throw rpcError(INVALID_PARAMS, messagesOf(problems));
  }
  const ids = [...new Set(checked.value.taskIds ?? [])];
  if (ids.length <= MOST_TASKS) return ids;
  throw rpcError(
    INVALID_PARAMS,
    `/params/notifications/taskIds: ${ids.length} ids, a subscription takes ${MOST_TASKS}`,
  );
}

/** Acknowledges, sends what changes, and resolves with the answer when nothing can change any more. */
async function listen(
  endpoint: Endpoint,
  { lists, uris, taskIds }: Wanted,
  exchange: ServerExchange,
): Promise<ResultIn<VersionOf<'ext'>, Listen>> {
  const { engine, changes, callerOf, closing, onError } = endpoint;
  const meta = { _meta: { [META_KEYS.subscriptionId]: exchange.id } };
  const outbox = new Outbox(
    ({ method, params }) => exchange.notify(method, merged(params, meta)),
    onError,
  );
  const methods = new Set<string>(lists.map((each) => LIST_CHANGES[each].method));
  const watched = new Set(uris);
  const lasts = methods.size + watched.size > 0;
  let check = (): void => undefined;
  const feed =
    taskIds &&
    (await openTaskFeed(taskIds, {
      engine,
      caller: callerOf(exchange),
      outbox,
      onOver: () => check(),
    }));
  // Changes from now on wait for the acknowledgement.
  const leave = lasts
    ? changes.join({
        outbox,
        wants: ({ method, uri }: Change) =>
          uri === undefined ? methods.has(method) : watched.has(uri),
      })
    : undefined;
  const unfollow = lasts
    ? endpoint.follow?.(exchange, { methods, uris: watched }, (change) => put(outbox, change))
    : undefined;
  try {
    await exchange.notify(METHODS.notificationsSubscriptionsAcknowledged, {
      notifications: {
        ...Object.fromEntries(lists.map((each) => [each, true])),
        ...(uris.length > 0 && { resourceSubscriptions: uris }),
        ...(feed && { taskIds: feed.accepted }),
      },
      ...meta,
    });
    // How long it then lasts says nothing about the server.
    exchange.operation.end();
    await new Promise<void>((resolve) => {
      check = () => {
        const isOver = closing.aborted || (!lasts && (feed?.isOver ?? true));
        if (exchange.gone.aborted || (isOver && outbox.isIdle)) resolve();
      };
      exchange.gone.addEventListener('abort', check);
      closing.addEventListener('abort', check);
      outbox.start(check);
    });
    if (closing.aborted) await announceEnd(exchange, meta);
  } finally {
    closing.removeEventListener('abort', check);
    leave?.();
    unfollow?.();
    feed?.close();
    outbox.close();
  }
  return meta;
}

/** Over a pipe there is no stream to close, so the server also names the request that it ends. */
async function announceEnd(exchange: ServerExchange, meta: object): Promise<void> {
  if (exchange.origin.http !== undefined) return;
  const params = { requestId: exchange.id, reason: 'The server is shutting down', ...meta };
  await exchange.notify(METHODS.notificationsCancelled, params);
}
