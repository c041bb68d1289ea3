import type { HttpHandle } from './serve.js';
import type { HealthHandle } from './serve-health.js';
import type { StdioHandle } from './stdio.js';

/** How a program was started. */
export interface StartedAs {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** With the path of Node and the absolute path of the main module first. */
  readonly argv: readonly string[];
}

/** What most clients read: a command to start, or a URL, by the server's name. */
export interface ClientConfig {
  readonly mcpServers: Readonly<Record<string, object>>;
}

/** The configuration with which a client reaches a server. A worker without clients has none. */
export function clientConfigOf(
  name: string,
  handle: StdioHandle | HttpHandle | HealthHandle,
  { execPath, execArgv, argv }: StartedAs,
): ClientConfig | undefined {
  if ('servesClients' in handle) return undefined;
  if ('url' in handle) return { mcpServers: { [name]: { type: 'http', url: handle.url } } };
  const args = [...execArgv, ...argv.slice(1)];
  return { mcpServers: { [name]: { command: execPath, args } } };
}

/** The configuration for a person at a terminal. */
export function configText(config: ClientConfig): string {
  return `Configuration for clients:\n\n${JSON.stringify(config, null, 2)}\n`;
}
