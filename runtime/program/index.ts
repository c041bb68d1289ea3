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
export type { AcceptOptions } from './auth-settings.js';
export { http, type HttpPartOptions } from './http.js';
export { introspection } from './introspection.js';
export { jwt, type JwtPartOptions } from './jwt.js';
export { memory } from './memory.js';
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
export { sqlite } from './sqlite.js';
export { stdio } from './stdio.js';
