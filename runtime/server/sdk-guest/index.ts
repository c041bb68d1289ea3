export type { SdkServer } from '../guest.js';
export type { SdkTransport } from './transport.js';
export { type ServerWithTasks, withTasks, type WithTasksOptions } from './with-tasks.js';
