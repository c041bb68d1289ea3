export { createRecovery, newWorkerName, type Recovery } from './recovery.js';
export { Runs, type RunLimits, type RunOptions } from './runs.js';
