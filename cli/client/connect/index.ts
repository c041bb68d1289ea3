export { causesOf, diagnose, statusOf } from './failures.js';
export type { Diagnosis } from './failures.js';
export { inheritedEnv, isUrlSecret } from './environment.js';
export { listTools } from './list.js';
export type { ServerTools } from './list.js';
export type { ProcessLocation, ServerLocation } from './location.js';
export { slowServer } from './server.js';
export type { ConnectOptions } from './server.js';
