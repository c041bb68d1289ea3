export type { BoardAuthorization, BoardIdentity } from './access.js';
export type { BoardAction } from './api.js';
export { boardCommand, type BoardCommandOptions } from './command.js';
export { type Board, type BoardOptions, serveBoard } from './serve.js';
