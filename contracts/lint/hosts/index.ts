import type { Host } from '../rule.js';
import { claude, claudeDesktop } from './claude.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { gemini, geminiCli } from './gemini.js';
import { mcp } from './mcp.js';
import { openai } from './openai.js';
import { openaiStrict } from './openai-strict.js';
import { bedrock, codex, llama } from './others.js';
import { vscode } from './vscode.js';

/** All hosts whose rules are known. OpenAI's strict mode is an option of its callers, so it is asked for by name. */
export const HOSTS: readonly Host[] = [
  mcp,
  claude,
  claudeDesktop,
  openai,
  openaiStrict,
  codex,
  gemini,
  geminiCli,
  vscode,
  cursor,
  copilot,
  bedrock,
  llama,
];

/** Those that a server meets without having chosen. */
export const DEFAULT_HOSTS: readonly string[] = HOSTS.map(({ id }) => id).filter(
  (id) => id !== openaiStrict.id,
);
