import { META_KEYS } from '../../runtime/protocol.js';
import { isRecord } from './access.js';

/** The protocol data in a message: its revision and extensions. */
export interface Announcement {
  /** The revision that the message itself carries. */
  readonly own?: string | undefined;
  /** The revision in the request `initialize`. */
  readonly proposed?: string | undefined;
  /** The revision in the result of `initialize`. */
  readonly settled?: string | undefined;
  /** The ids of declared extensions. */
  readonly extensions: readonly string[];
}

/** What most messages announce. */
export const NOTHING_ANNOUNCED: Announcement = { extensions: [] };

/** The path of each, for findings. */
export const PLACES = {
  own: ['params', '_meta', META_KEYS.protocolVersion],
  proposed: ['params', 'protocolVersion'],
  settled: ['result', 'protocolVersion'],
} as const;

/** Reads the fields without validating them; the revision's validators do that later. */
export function announcementIn(message: unknown): Announcement {
  if (!isRecord(message)) return NOTHING_ANNOUNCED;
  const { method, params, result } = message;
  if (method === undefined) {
    const settled = text(get(result, 'protocolVersion'));
    const capabilities = get(result, 'capabilities');
    if (settled === undefined && capabilities === undefined) return NOTHING_ANNOUNCED;
    return { settled, extensions: extensionsIn(capabilities) };
  }
  const meta = get(params, '_meta');
  const isInitialize = method === 'initialize';
  if (meta === undefined && !isInitialize) return NOTHING_ANNOUNCED;
  return {
    own: text(get(meta, META_KEYS.protocolVersion)),
    proposed: isInitialize ? text(get(params, 'protocolVersion')) : undefined,
    extensions: extensionsIn(
      isInitialize ? get(params, 'capabilities') : get(meta, META_KEYS.clientCapabilities),
    ),
  };
}

function extensionsIn(capabilities: unknown): readonly string[] {
  const extensions = get(capabilities, 'extensions');
  return isRecord(extensions) ? Object.keys(extensions) : [];
}

function get(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
