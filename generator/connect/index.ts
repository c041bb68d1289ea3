export { inheritedEnv, isUrlSecret } from './environment.js';
export { listTools } from './list.js';
export type { ServerTools } from './list.js';
export { processTransport } from './process-transport.js';
export type { ProcessTransport } from './process-transport.js';
export type { ProcessLocation, ServerLocation } from './location.js';
export type { ConnectOptions } from './server.js';
export { endGroup, passSignals } from './process-group.js';
export { startServer } from './start.js';
