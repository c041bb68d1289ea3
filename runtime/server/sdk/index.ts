export { createBacklog, type Backlog } from './backlog.js';
export { answerToSend, type AnswerMessage, type OutgoingRules } from './checked-answer.js';
export { resumes, wasReceived, withoutResponses } from './checked-transport.js';
export { type Continuations, continueWith, continuing } from './continuation.js';
export {
  ConnectedServer,
  serverInfoOf,
  type Answer,
  type ConnectedServerOptions,
  type OwnTools,
} from './connected-server.js';
export { withoutPayload } from './error-text.js';
export { offers, refuseUnoffered } from './offered.js';
export { COMMENT, every, isEventStream, KEEP_ALIVE_MS } from './event-stream.js';
export { SLICE } from './frame-queue.js';
export {
  isLineTransport,
  lineTransport,
  type LineSource,
  type LineTarget,
} from './line-transport.js';
export { listenOverHttp } from './listen-http.js';
export { streams } from './json-answer.js';
export { TooSlow } from './paced.js';

export { connectionClosed, rpcError } from './protocol-error.js';
export * from './public-api.js';
export {
  cancellationOf,
  declaredCapabilities,
  ENDINGS,
  endOf,
  inputResponses,
  sendRequest,
  signalOf,
} from './request.js';
export { createRequestHandler, isOfSession } from './request-handler.js';
export { serveOverStdio, type StdioHandle } from './serve-stdio.js';
export { createSessionTransport, type SessionTransport } from './session-transport.js';
export { type Registered, trySetup } from './shared-tools.js';
export type { TaskFeed, TaskSubscriptions } from './task-subscriptions.js';
