/**
 * The server for places without Node: workers, Deno, Bun. It imports web standards and nothing else, and no code of a
 * revision: authors import the revisions that they serve, so that a bundle holds these alone. `server/index.ts` loads
 * revisions by their names instead, which bundlers cannot leave out.
 */

export * from './shared.js';
export { type Logged, loggedBy, type ServerLog } from './log/index.js';
export type { ServedRevision } from './platform.js';
export type { TaskServer } from './server.js';
export { createTaskServer, type WebServerOptions } from './web-server.js';
