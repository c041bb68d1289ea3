export { createReporter, Warning } from './faults.js';
export { type Logged, loggedBy, type ServerLog } from './log.js';
