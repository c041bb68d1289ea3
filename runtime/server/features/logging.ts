import type { LoggingLevel } from '../../../generated/2025-11-25/types.js';
import { META_KEYS, METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { member } from '../../wire/json.js';
import type { ServerExchange, ServerRows } from '../origin.js';

export type LogLevel = LoggingLevel;

/** The least severe first. */
const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** What a session gets until its client sets a level, which the specification leaves to the server. */
const FIRST_LEVEL = 'info';

/** `logging/setLevel` of sessions. */
export function loggingRows({ logging }: { readonly logging: boolean }): ServerRows {
  if (!logging) return {};
  return {
    [METHODS.loggingSetLevel]: {
      answer({ level }, { origin }) {
        if (origin.session !== undefined) origin.session.logLevel = level as LogLevel;
        return {};
      },
    },
  };
}

export function loggingCapabilities({ logging }: { readonly logging: boolean }): JsonObject {
  return logging ? { logging: {} } : {};
}

/** Sends a log message that belongs to a request, where its client wants those of this level. */
export function logTo(
  exchange: ServerExchange,
  level: LogLevel,
  data: unknown,
  logger?: string,
): void {
  const severity = LEVELS.indexOf(level);
  if (severity < 0) {
    throw new TypeError(`Unknown level ${JSON.stringify(level)}: choose from ${LEVELS.join(', ')}`);
  }
  const least = wantedBy(exchange);
  if (least === undefined || severity < LEVELS.indexOf(least as LogLevel)) return;
  const params = { level, data, ...(logger !== undefined && { logger }) };
  // A message that is not JSON, or whose client has disconnected, is lost: it must not fail the request.
  exchange.notify(METHODS.notificationsMessage, params).catch(() => undefined);
}

/** A request without a session names its level. Without one its client gets no messages. */
function wantedBy({ origin, meta }: ServerExchange): unknown {
  const { session } = origin;
  return session === undefined
    ? member(meta, META_KEYS.logLevel)
    : (session.logLevel ?? FIRST_LEVEL);
}
