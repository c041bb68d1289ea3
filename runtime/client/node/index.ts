export { ask } from './ask.js';
export { createTaskClient, nodeHost } from './client.js';
export { httpFetch } from './http-fetch.js';
export { LoginError, LoginExpired } from './login-error.js';
export {
  createLogins,
  type LoginProvider,
  type Logins,
  type LoginsOptions,
  type StepUp,
} from './logins.js';
export {
  changePrivateFile,
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from './private-file.js';
export type { ClientSecret, DeviceCode, LoginOptions, RegisteredClient } from './login-options.js';
export { stepUpFetch, type StepUpOptions } from './step-up.js';
export { type ReceivedFile, safeFileName, saveReceivedFile } from './save-file.js';
export { type ProcessTransport, processTransport } from './process/index.js';
