export { listTools } from './list.js';
export type { ServerTools } from './list.js';
export type { ConnectOptions, ServerLocation } from './server.js';
