export { ask } from './ask.js';
export type { ClientSecret } from './client-login.js';
export type { DeviceCode } from './device-login.js';
export { createTaskClient, nodeHost } from './client.js';
export { httpFetch } from './http-fetch.js';
export { LoginError, LoginExpired } from './login-error.js';
export {
  createLogins,
  type LoginOptions,
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
export type { RegisteredClient } from './provider.js';
export { stepUpFetch, type StepUpOptions } from './step-up.js';
export { type ReceivedFile, safeFileName, saveReceivedFile } from './save-file.js';
export { type ProcessTransport, processTransport } from './process/index.js';
