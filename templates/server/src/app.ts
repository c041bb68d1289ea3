import { introspect } from './auth.js';
import type { Config } from './config.js';
import { feature } from './feature.js';
import { bearer, serveHttp, serveStdio } from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';
import { createServer } from './server.js';

/** The server, and the transport that it is reached by. */
export interface App {
  /** The URL, or what there is instead. */
  readonly address: string;
  /** Resolves when the only client has gone. */
  readonly gone: Promise<void>;
  /** Takes nothing new, lets tasks finish, and closes what is open. */
  close(): Promise<void>;
}

/** @throws when the port is taken, or the store cannot be opened. */
export async function startApp(config: Config): Promise<App> {
  const store = feature.sqlite ? openSqliteStore({ file: config.database }) : createMemoryStore();
  const server = await createServer(store, config.audit === 'stderr');
  if (feature.stdio) {
    const stdio = serveStdio(server);
    return {
      address: 'standard input and output',
      gone: stdio.closed,
      async close() {
        await server.close(config.drainMs);
        await stdio.close();
      },
    };
  } else {
    const { host, port, allowedHosts, allowedOrigins } = config;
    const http = await serveHttp(server, {
      host,
      port,
      ...(allowedHosts && { allowedHosts }),
      ...(allowedOrigins && { allowedOrigins }),
      ...(feature.bearer && { auth: bearer({ ...config.auth, verify: introspect(config.auth) }) }),
      // Whoever reaches the address may use the server: keep it to this machine. Tools cannot ask the
      // user, because anybody could answer; `allowUnidentifiedInput: true` lets them.
      ...(feature.none && { allowUnidentified: true }),
    });
    return {
      address: http.url,
      // Clients come and go.
      gone: new Promise(() => undefined),
      async close() {
        await http.close();
        await server.close(config.drainMs);
      },
    };
  }
}
