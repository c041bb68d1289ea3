export type { Called, Wanted } from './calls.js';
export { type ClusterEvent, type ClusterIo, type ClusterOptions, runCluster } from './cluster.js';
export { ClusterError } from './error.js';
