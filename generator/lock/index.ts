export { LISTS, LOCK_VERSION } from './model.js';
export type { ListName, Lock, Sent } from './model.js';
export { printLock } from './print.js';
export { parseLock } from './read.js';
