import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as z from 'zod';

import { bearer, createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import { NO_LIMITS } from '../tasks/sqlite-engine.js';
import { WORK } from './work.js';

export const RESOURCE = 'http://localhost/mcp';
const ISSUER = 'https://issuer.example';

/** The server as scaffolded for HTTP: SQLite, authorization, and checks of every message. */
export async function startOurs(limited: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const server = await createTaskServer({
    name: 'ours',
    version: '1',
    tools: Object.entries(WORK).map(([name, work]) =>
      defineTool({
        name,
        description: 'A tool',
        input: z.object({}),
        taskSupport: 'required',
        run: async ({ task }) => String(await work(task.signal)),
      }),
    ),
    store: openSqliteStore({ file: join(folder, 'tasks.db') }),
    ...(!limited && { limits: NO_LIMITS }),
  });
  const auth = bearer({
    resource: RESOURCE,
    issuer: ISSUER,
    verify: (subject) =>
      Promise.resolve({
        subject,
        issuer: ISSUER,
        clientId: 'bench',
        audience: [RESOURCE],
        scopes: [],
        expiresAt: Date.now() / 1_000 + 600,
      }),
  });
  return (await serveHttp(server, { auth })).url;
}
