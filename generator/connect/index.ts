export { listTools } from './list.js';
export type { ServerTools } from './list.js';
export type { ServerLocation } from './location.js';
export type { ConnectOptions } from './server.js';
