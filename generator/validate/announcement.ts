import { isRecord } from './read.js';

/** What a message tells of the protocol that it and others follow. */
export interface Announcement {
  /** The revision that the message itself carries. */
  readonly own?: string | undefined;
  /** What `initialize` asks for. */
  readonly proposed?: string | undefined;
  /** What the answer to `initialize` settles. */
  readonly settled?: string | undefined;
  /** The ids under the capabilities that it declares. */
  readonly extensions: readonly string[];
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** Where each of them stands, for messages that name what is wrong with it. */
export const PLACES = {
  own: ['params', '_meta', VERSION_KEY],
  proposed: ['params', 'protocolVersion'],
  settled: ['result', 'protocolVersion'],
} as const;

/** Looks at what is there; whether it is valid is found out later, by the revision. */
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
