import type * as types from './types.js';

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

/** Who sends a message. */
export type Party = 'client' | 'server';

/** A key below one party's capabilities that has to be declared. */
export type Capability = { readonly party: Party; readonly path: readonly string[] };

export type RequestInfo = {
  /** The definition of the whole request. */
  readonly definition: string;
  readonly senders: readonly Party[];
  /** `input`: an entry of `inputRequests` in another request's result, not a message. */
  readonly carrier: 'message' | 'input';
  /** The definitions that may answer it, the usual one first. */
  readonly results: readonly string[];
  /** Whether `params.task` turns it into a task. */
  readonly augmentable: boolean;
  /** What the receiver has to declare. */
  readonly capabilities: readonly Capability[];
};

export type NotificationInfo = {
  readonly definition: string;
  readonly senders: readonly Party[];
  readonly capabilities: readonly Capability[];
};

/** The params and the result of each request, by method. */
export type RequestMap = {
  'things/call': {
    params: types.CallRequest['params'];
    result: types.CallResult;
  };
};

export type RequestMethod = keyof RequestMap;

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
