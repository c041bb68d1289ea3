export { proxyHttp } from './http.js';
export type { HttpProxy, HttpProxyOptions } from './http.js';
export { recordingWatcher } from './record.js';
export { proxyStdio } from './stdio.js';
export type { ServerEnd, StdioProxyOptions } from './stdio.js';
export type { Fault, Passing, Ruling, Watcher } from './watcher.js';
