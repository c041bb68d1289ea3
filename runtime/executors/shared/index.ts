export { createRecovery, newWorkerName, type Recovery } from './recovery.js';
export { withoutUndefined } from './without-undefined.js';
export { Runs, type RunLimits, type RunOptions } from './runs.js';
