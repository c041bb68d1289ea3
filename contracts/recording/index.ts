export { RecordingError } from './error.js';
export { intercepted } from './intercepted.js';
export type { AnyTransport, Interceptor } from './intercepted.js';
export { recorded } from './recorded.js';
export type { RecordedOptions } from './recorded.js';
export { openRecording } from './recording.js';
export type { Recorded, Recording, RecordingOptions } from './recording.js';
export { Calls, isRequest } from './calls.js';
export type { OpenCall, ToolResult } from './calls.js';
