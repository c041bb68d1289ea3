import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as z from 'zod';

import type * as server from '../../runtime/server/index.js';
import type * as stores from '../../runtime/stores/sqlite/index.js';
import { NO_LIMITS } from '../tasks/no-limits.js';
import { WORK } from './work.js';

export const RESOURCE = 'http://localhost/mcp';
const ISSUER = 'https://issuer.example';

/** As users run it. From its sources, tsx would set the name of each function that a request makes. */
async function built<T>(entry: string): Promise<T> {
  const url = new URL(`../../runtime/dist/modules/${entry}.js`, import.meta.url);
  return (await import(url.href)) as T;
}

const { bearer, createTaskServer, defineTool, serveHttp } = await built<typeof server>('server');
const { openSqliteStore } = await built<typeof stores>('stores-sqlite');

const plain = defineTool({
  name: 'plain',
  description: 'A tool',
  input: z.object({}),
  run: () => 'done',
});

/** The server as scaffolded for HTTP: SQLite, authorization, and checks of every message. */
export async function startOurs(limited: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const tasks = await createTaskServer({
    name: 'ours',
    version: '1',
    tools: [
      plain,
      ...Object.entries(WORK).map(([name, work]) =>
        defineTool({
          name,
          description: 'A tool',
          input: z.object({}),
          taskSupport: 'required',
          run: async ({ task }) => String(await work(task.signal)),
        }),
      ),
    ],
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
  return (await serveHttp(tasks, { auth })).url;
}
