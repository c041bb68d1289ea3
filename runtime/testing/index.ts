export {
  EachWayError,
  type ServerUnderTest,
  startTestServer,
  type TestCallOptions,
  type TestClientOptions,
  type TestContext,
  type TestServer,
  type TestServerOptions,
} from './test-server.js';
export { type Issuer, type IssuerOptions, startIssuer } from './issuer.js';
export { startPostgres, type TestPostgres, type TestPostgresOptions } from './postgres/index.js';
export {
  type ProgramConnectOptions,
  type ProgramEnd,
  type ProgramOptions,
  startProgram,
  type TestProgram,
} from './program.js';
export type { Way } from './ways.js';
