export { ListenError, serveStdio } from '../../runtime/server/index.js';
export { serveMockHttp } from './connections.js';
export { mocked } from './mocked.js';
export type { Mocked, Summary } from './mocked.js';
export type { MockOptions, MockRequest, MockServer, MockTransport } from './types.js';
