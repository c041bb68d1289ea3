export { ListenError } from '../../runtime/server/listen.js';
export { serveMockHttp } from './http.js';
export type { MockHttp } from './http.js';
export { mocked } from './mocked.js';
export type { Mocked, Summary } from './mocked.js';
export { serveMockLines } from './stdio.js';
export type { MockOptions, MockRequest, MockServer, MockTransport } from './types.js';
