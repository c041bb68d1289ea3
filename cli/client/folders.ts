import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Env } from './io.js';

const PROGRAM = 'mcp-codegen';

/** `$XDG_CONFIG_HOME/mcp-codegen`, or its place without that variable: logins and saved servers. */
export function configFolder(env: Env): string {
  return join(baseOf(env, env['XDG_CONFIG_HOME'] ?? env['APPDATA'], '.config'), PROGRAM);
}

/** `$XDG_STATE_HOME/mcp-codegen`, or its place without that variable: the tasks that are kept. */
export function stateFolder(env: Env): string {
  const given = env['XDG_STATE_HOME'] ?? env['LOCALAPPDATA'];
  return join(baseOf(env, given, join('.local', 'state')), PROGRAM);
}

/** The user's own folder. */
export function homeFolder(env: Env): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? homedir();
}

/** The specification of these variables ignores relative paths. */
function baseOf(env: Env, given: string | undefined, usual: string): string {
  return given !== undefined && isAbsolute(given) ? given : join(homeFolder(env), usual);
}
