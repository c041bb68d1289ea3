import { META_KEYS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { RELATED_TASK } from '../../wire/core-task.js';
import { classifyInboundRequest } from '../sdk/index.js';

/** What clients say about themselves in each request, as text, and how much of it is remembered. */
const MOST_KNOWN = 500;
const LONGEST_KNOWN = 2_000;

const {
  protocolVersion: VERSION,
  clientInfo: CLIENT_INFO,
  clientCapabilities: CAPABILITIES,
  logLevel: LOG_LEVEL,
} = META_KEYS;

/**
 * Whether the SDK accepts the envelope of a request of 2026-07-28. A client sends the same one with each request,
 * so the SDK judges it once.
 */
export function createEnvelopes(): { accepts(message: JsonObject, meta: JsonObject): boolean } {
  const accepted = new Set<string>();

  return {
    accepts(message, meta) {
      const { progressToken } = meta;
      if (progressToken !== undefined && !isToken(progressToken)) return false;
      if (RELATED_TASK in meta) return false;
      const key = JSON.stringify({
        info: meta[CLIENT_INFO],
        capabilities: meta[CAPABILITIES],
        log: meta[LOG_LEVEL],
      });
      if (accepted.has(key)) return true;
      const judged = classifyInboundRequest({ httpMethod: 'POST', body: message });
      if (judged.kind !== 'modern' || judged.messageKind !== 'request') return false;
      if (key.length <= LONGEST_KNOWN) {
        if (accepted.size >= MOST_KNOWN) accepted.clear();
        accepted.add(key);
      }
      return true;
    },
  };
}

/** Whether a session's request has parts that the SDK takes out, or judges. */
export function isPlainMeta(meta: JsonObject): boolean {
  const { progressToken } = meta;
  if (progressToken !== undefined && !isToken(progressToken)) return false;
  return [VERSION, CLIENT_INFO, CAPABILITIES, LOG_LEVEL, RELATED_TASK].every(
    (key) => !(key in meta),
  );
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** The parts of a request's `_meta` that only the wire needs, and the rest. */
export function partsOf(meta: JsonObject): {
  readonly envelope: JsonObject;
  readonly rest: JsonObject | undefined;
} {
  const envelope: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  let some = false;
  for (const [key, value] of Object.entries(meta)) {
    const isEnvelope =
      key === VERSION || key === CLIENT_INFO || key === CAPABILITIES || key === LOG_LEVEL;
    (isEnvelope ? envelope : rest)[key] = value;
    some ||= !isEnvelope;
  }
  return { envelope, rest: some ? rest : undefined };
}
