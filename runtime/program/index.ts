export {
  type ClientConfig,
  clientConfigOf,
  configText,
  logOptions,
  type LogOptions,
  preferSmallHeap,
} from './options.js';
export {
  exitWithReason,
  running,
  type RunningServer,
  runUntilStopped,
  type StartFailureOptions,
} from './program.js';
export { type HealthHandle, serveHealth, type ServeHealthOptions } from './serve-health.js';
export type { ProgramOptions, ServerContext } from './assembly.js';
export { type AcceptOptions, introspection, jwt, type JwtPartOptions } from './authorization.js';
export { http, type HttpPartOptions, stdio } from './http.js';
export { memory, sqlite } from './sqlite.js';
export type {
  AuthPart,
  ClusterPart,
  StoreAdministration,
  StorePart,
  StorePlace,
  TransportPart,
} from './parts.js';
export { postgres, type PostgresPartOptions } from './postgres.js';
export { runServer } from './run-server.js';
export { list } from './setting-types.js';
export type { SettingsOf, SettingsShape } from './settings.js';
