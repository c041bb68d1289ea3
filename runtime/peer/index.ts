export {
  type Channel,
  type AskOptions,
  type Exchange,
  isRequestId,
  isTooLong,
  LONGEST_ID,
  type RequestId,
  LazyAbort,
  TOO_LONG_ID,
} from './exchange.js';
export {
  ConnectionClosed,
  connectionClosed,
  errorOf,
  ProtocolError,
  rpcError,
  withoutId,
} from './errors.js';
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
