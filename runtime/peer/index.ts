export {
  type AskOptions,
  type Channel,
  type Exchange,
  isRequestId,
  LazyAbort,
  type RequestId,
} from './exchange.js';
export { ConnectionClosed, connectionClosed, errorOf, ProtocolError, rpcError } from './errors.js';
export { declares, type Handler, type Methods, methodsOf, type Row, type Rows } from './methods.js';
export { Peer, type PeerOptions } from './peer.js';
