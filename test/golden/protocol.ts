import type { NotificationInfo, RequestInfo } from '../../generator/emit/support/protocol.js';
import type * as types from './types.js';

export type { Capability, NotificationInfo, Party, RequestInfo } from '../../generator/emit/support/protocol.js';

export const PROTOCOL_VERSION = 'test';

/** Reserved keys of `_meta`. */
export const META_KEYS = {
  x: 'io.modelcontextprotocol/x',
} as const;

/** The codes of JSON-RPC and of this revision. */
export const ERROR_CODES = {
  Busy: -32099,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  ParseError: -32700,
} as const;

export type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];

/** The params and the result of each request, by method. */
export type RequestMap = {
  'things/call': {
    params: types.CallRequest['params'];
    result: types.CallResult;
  };
};

export type RequestMethod = keyof RequestMap;

/** The methods that each side serves, by the capability that it declares for them; `always` needs none. */
export type FeatureMap = {
  client: Record<never, never>;
  server: {
    things: 'things/call';
  };
};

/** The params of each notification, by method. */
export type NotificationMap = {
  'notifications/things/list_changed': {
    params: undefined;
  };
};

export type NotificationMethod = keyof NotificationMap;

export const REQUESTS: { readonly [M in RequestMethod]: RequestInfo } = {
  'things/call': {
    definition: 'CallRequest',
    senders: ['client'],
    carrier: 'message',
    results: ['CallResult'],
    augmentable: false,
    capabilities: [{ party: 'server', path: ['things'] }],
  },
};

export const NOTIFICATIONS: { readonly [M in NotificationMethod]: NotificationInfo } = {
  'notifications/things/list_changed': {
    definition: 'ChangedNotification',
    senders: ['server'],
    capabilities: [{ party: 'server', path: ['things', 'listChanged'] }],
  },
};
