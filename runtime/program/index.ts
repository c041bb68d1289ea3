export {
  type ClientConfig,
  clientConfigOf,
  configText,
  logOptions,
  type LogOptions,
  preferSmallHeap,
} from './options.js';
export {
  exitWithReason,
  running,
  type RunningServer,
  runUntilStopped,
  type StartFailureOptions,
} from './program.js';
export { type HealthHandle, serveHealth, type ServeHealthOptions } from './serve-health.js';
