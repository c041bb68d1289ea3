export { CONFIG_FILE, DEFAULT_CONFIG, DEFAULT_LOCK, parseConfig } from './config.js';
export type { Config, LockEntry, ToolsEntry } from './config.js';
