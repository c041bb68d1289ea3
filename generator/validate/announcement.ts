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

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The path of each, for findings. */
export const PLACES = {
  own: ['params', '_meta', VERSION_KEY],
  proposed: ['params', 'protocolVersion'],
  settled: ['result', 'protocolVersion'],
} as const;

/** Reads the fields without validating them; the revision's validators do that later. */
export function announcementIn(message: unknown): Announcement {
  if (!isRecord(message)) return { extensions: [] };
  const { method, params, result } = message;
  if (method === undefined) {
    return {
      settled: text(get(result, 'protocolVersion')),
      extensions: extensionsIn(get(result, 'capabilities')),
    };
  }
  const meta = get(params, '_meta');
  const isInitialize = method === 'initialize';
  return {
    own: text(get(meta, VERSION_KEY)),
    proposed: isInitialize ? text(get(params, 'protocolVersion')) : undefined,
    extensions: extensionsIn(
      isInitialize ? get(params, 'capabilities') : get(meta, CAPABILITIES_KEY),
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
