export { createRecovery, newWorkerName, type Recovery } from './recovery.js';
export { withoutUndefined, Runs, type RunLimits, type RunOptions } from './runs.js';
