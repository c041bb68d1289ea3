export { noticesOf } from './notices.js';
export { REPORT, reportPage } from './page.js';
export { Recorder } from './recorder.js';
export type { RecorderOptions } from './recorder.js';
export { LIMITS } from './sample.js';
export type { Limits } from './sample.js';
