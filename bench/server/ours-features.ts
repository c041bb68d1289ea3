import type { McpServer } from '@modelcontextprotocol/server';

import { GREETING, PROMPT } from './offered.js';

/** How our server offers the resource and the prompt, and tells clients that an item changed. */

export const FEATURES = {
  setup(mcp: McpServer, dialect: 'core' | 'ext'): void {
    const { name, uri, mimeType, text } = GREETING;
    mcp.registerResource(name, uri, { mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, text }],
    }));
    mcp.registerPrompt(PROMPT.name, {}, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: PROMPT.text } }],
    }));
    if (dialect === 'core') followInSession(mcp);
    else mcp.server.registerCapabilities({ resources: { subscribe: true } });
  },
};

/** Options of HTTP with which a client may open a session for each of many requests. */
export const MANY_SESSIONS: object = { sessionsPerOwner: 10_000 };

interface Notifier {
  readonly notify: { readonly resourceUpdated: (uri: string) => void };
}

let notifier: Notifier | undefined;

/** Called with the server, and what serves it over HTTP. */
export function started(_server: object, http: object): void {
  notifier = http as Notifier;
}

export function updated(uri: string): void {
  notifier?.notify.resourceUpdated(uri);
  for (const each of followers.get(uri) ?? []) void each.server.sendResourceUpdated({ uri });
}

const followers = new Map<string, Set<McpServer>>();

/** The SDK leaves it to its users to keep which sessions follow what. */
function followInSession(mcp: McpServer): void {
  mcp.server.registerCapabilities({ resources: { subscribe: true } });
  mcp.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    const known = followers.get(uri);
    if (known === undefined) followers.set(uri, new Set([mcp]));
    else known.add(mcp);
    return {};
  });
  mcp.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    followers.get(uri)?.delete(mcp);
    return {};
  });
  mcp.server.onclose = () => {
    for (const each of followers.values()) each.delete(mcp);
  };
}
