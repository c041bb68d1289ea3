export { CONFIG_FILE, DEFAULT_CONFIG, parseConfig } from './config.js';
export type { Config, ToolsEntry } from './config.js';
