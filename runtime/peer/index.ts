export {
  type Channel,
  type AskOptions,
  type Exchange,
  isRequestId,
  isTooLong,
  LONGEST_ID,
  type RequestId,
  LazyAbort,
} from './exchange.js';
export {
  ConnectionClosed,
  connectionClosed,
  errorOf,
  ProtocolError,
  rpcError,
  withoutId,
} from './errors.js';
export { TOO_LONG_ID } from './failures.js';
export {
  declares,
  type Handler,
  type Methods,
  methodsOf,
  type Row,
  type RowOf,
  type Rows,
  type RowsOf,
} from './methods.js';
export { Peer, type PeerOptions } from './peer.js';
