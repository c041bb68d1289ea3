import { type Handler, rpcError } from '../../peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../protocol.js';
import {
  type GuestHost,
  hasOwnTasks,
  type Owned,
  type ServerExchange,
  type ServerRows,
} from '../guest.js';
import { isRpcError, type JsonObject, messageOf } from '../../tasks/index.js';
import { RESOURCE_NOT_FOUND } from '../../rules/messages.js';
import { member } from '../../peer/wire/json.js';
import type { Conversation } from './conversation.js';
import { entriesOf, LISTS, type List, listed } from './lists.js';

type RowHandler = Handler<ServerExchange['origin']>;

/** What the rows of a guest need. */
export interface RowParts {
  readonly host: GuestHost;
  /** What the guest declares. */
  readonly capabilities: JsonObject;
  /** Runs `work` with the guest of the request: that of its session, or one of its own. */
  readonly within: (
    exchange: ServerExchange,
    work: (guest: Conversation) => Promise<JsonObject>,
  ) => Promise<JsonObject>;
}

/** Methods that name what they are about, with the capability that declares them. */
const NAMED: Readonly<
  Record<string, { feature: string; isOwn: (owns: Owned, params: JsonObject) => boolean }>
> = {
  [METHODS.toolsCall]: { feature: 'tools', isOwn: (owns, { name }) => owns.tool(name) },
  [METHODS.promptsGet]: { feature: 'prompts', isOwn: (owns, { name }) => owns.prompt(name) },
  [METHODS.resourcesRead]: { feature: 'resources', isOwn: (owns, { uri }) => owns.resource(uri) },
  [METHODS.resourcesSubscribe]: {
    feature: 'resources',
    isOwn: (owns, { uri }) => owns.resource(uri),
  },
  [METHODS.resourcesUnsubscribe]: {
    feature: 'resources',
    isOwn: (owns, { uri }) => owns.resource(uri),
  },
  [METHODS.completionComplete]: {
    feature: 'completions',
    isOwn: (owns, { ref }) =>
      member(ref, 'type') === 'ref/prompt'
        ? owns.prompt(member(ref, 'name'))
        : owns.template(member(ref, 'uri')) || owns.resource(member(ref, 'uri')),
  },
};

/** The rows of both servers: lists are joined, and what has a name goes to the server that has it. */
export function joinedRows(own: ServerRows, parts: RowParts): ServerRows {
  const { host, capabilities } = parts;
  const rows: Record<string, ServerRows[string]> = { ...own };
  const put = (
    method: string,
    feature: string,
    answer: (mine?: RowHandler) => RowHandler,
  ): void => {
    if (!(feature in capabilities)) return;
    const mine = feature in host.capabilities ? own[method] : undefined;
    rows[method] = { ...own[method], answer: answer(mine?.answer) };
  };
  for (const list of LISTS) {
    put(list.method, list.feature, (mine) =>
      mine === undefined ? passedList(parts, list) : joinedList(parts, list, mine),
    );
  }
  for (const [method, { feature, isOwn }] of Object.entries(NAMED)) {
    const passed = passedOn(parts);
    put(
      method,
      feature,
      (mine) => (params, exchange) =>
        mine !== undefined && isOwn(host.owns, params)
          ? mine(params, exchange)
          : passed(params, exchange),
    );
  }
  put(METHODS.loggingSetLevel, 'logging', (mine) => async (params, exchange) => {
    await mine?.(params, exchange);
    return passedOn(parts)(params, exchange);
  });
  return rows;
}

function passedOn({ within, host }: RowParts): RowHandler {
  return async (params, exchange) => {
    const { method, revision } = exchange;
    const { task, name } = params;
    const asTask = task !== undefined && hasOwnTasks(revision.version);
    if (method === METHODS.toolsCall && asTask && host.callsAsTasks) {
      const text = `Tool ${JSON.stringify(name)} does not run as a task`;
      throw rpcError(ERROR_CODES.MethodNotFound, text);
    }
    try {
      return await within(exchange, (guest) => guest.request(method, forGuest(params), exchange));
    } catch (error) {
      throw inDialect(exchange, error);
    }
  };
}

function passedList({ within }: RowParts, list: List): RowHandler {
  return (params, exchange) =>
    within(exchange, async (guest) =>
      listed(list, await guest.request(list.method, forGuest(params), exchange)),
    );
}

/** The server's own pages, and behind the last one all of the guest's. */
function joinedList({ within, host }: RowParts, list: List, mine: RowHandler): RowHandler {
  return async (params, exchange) => {
    const page = await mine(params, exchange);
    if (page['nextCursor'] !== undefined) return page;
    try {
      return await within(exchange, async (guest) => {
        const entries = await entriesOf(guest, list, exchange);
        const others = entries.filter((entry) => !list.owned(host.owns, entry[list.key]));
        return { ...page, [list.member]: [...(page[list.member] as JsonObject[]), ...others] };
      });
    } catch (error) {
      exchange.cancelled.throwIfAborted();
      host.onError(new Error(`${list.method} of the guest: ${messageOf(error)}`, { cause: error }));
      return page;
    }
  };
}

/** What a request without a session says of its client, which the guest gets in a handshake. */
const OF_CLIENT: ReadonlySet<string> = new Set([
  META_KEYS.protocolVersion,
  META_KEYS.clientInfo,
  META_KEYS.clientCapabilities,
  META_KEYS.logLevel,
]);

/** The params as a session has them, whose call runs as no task. */
function forGuest(params: JsonObject): JsonObject {
  const { task: _, inputResponses: __, requestState: ___, _meta: meta, ...own } = params;
  if (meta === undefined) return own;
  const left = Object.entries(meta as JsonObject).filter(([key]) => !OF_CLIENT.has(key));
  return left.length === 0 ? own : { ...own, _meta: Object.fromEntries(left) };
}

function inDialect({ revision }: ServerExchange, error: unknown): unknown {
  if (revision.dialect === 'core' || !isRpcError(error)) return error;
  const { code, message, data } = error;
  return code === RESOURCE_NOT_FOUND ? rpcError(ERROR_CODES.InvalidParams, message, data) : error;
}
