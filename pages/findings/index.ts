export { middleOf } from './latency.js';
export type { Latency } from './latency.js';
export { noticesOf } from './notices.js';
export { Recorder } from './recorder.js';
export type { FindingKind, MethodCounts, RecorderOptions } from './recorder.js';
export type { Row, RowFinding } from './row.js';
export type { Limits } from './sample.js';
export { classOf, countFindings, noFindings, SEVERITIES, totalOf } from './severity.js';
export type { Moment, Task } from './tasks.js';
