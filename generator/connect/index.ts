export { inheritedEnv, isUrlSecret } from './environment.js';
export { listTools } from './list.js';
export type { ServerTools } from './list.js';
export { processTransport } from './process-transport.js';
export type { ProcessTransport } from './process-transport.js';
export type { ServerLocation } from './location.js';
export type { ConnectOptions } from './server.js';
