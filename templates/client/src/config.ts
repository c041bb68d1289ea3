import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** `$XDG_CONFIG_HOME/my-mcp-client`, or what stands for it. */
export function configFolder(env: Env): string {
  return join(baseOf(env['XDG_CONFIG_HOME'] ?? env['APPDATA'], '.config'), 'my-mcp-client');
}

/** `$XDG_STATE_HOME/my-mcp-client`, or what stands for it. */
export function stateFolder(env: Env): string {
  const given = env['XDG_STATE_HOME'] ?? env['LOCALAPPDATA'];
  return join(baseOf(given, join('.local', 'state')), 'my-mcp-client');
}

function baseOf(given: string | undefined, usual: string): string {
  return given !== undefined && isAbsolute(given) ? given : join(homedir(), usual);
}
