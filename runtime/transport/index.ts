export { createEndpoint, type Endpoint, type EndpointOptions } from './http/endpoint.js';
export { KEEP_ALIVE_MS } from './http/post-channel.js';
export type { Incoming, Unread } from './http/incoming.js';
export { createReceiving, type Receiving } from './http/receiving.js';
export {
  BAD_REQUEST,
  emptyReply,
  HTTP_METHODS,
  jsonReply,
  methodNotAllowed,
  refusal,
  type RefusalOptions,
  refuseMalformedHost,
  type Reply,
  type ReplyHeaders,
  replyOf,
  type StreamReply,
  type TextReply,
  withHeaders,
} from './http/reply.js';
export { openSessions, type OpenSessions } from './http/session-endpoint.js';
export type { Identified, SessionOptions } from './http/sessions.js';
export { webHandler, type WebOptions } from './http/web.js';
export {
  type NodeListener,
  nodeListener,
  type NodeOptions,
  onClose,
  serveOn,
} from './node/listener.js';
export { type Backlog, createBacklog } from './queue/backlog.js';
export { isNew, type Origin, type Served, type ServedSession } from './served.js';
export { type LinesHandle, type LinesOptions, serveLines } from './stdio/serve-lines.js';
export type { LineSource, LineTarget } from './stdio/lines.js';
export { later, type Timer } from './timers.js';
