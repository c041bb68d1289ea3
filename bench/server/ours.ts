import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAdaptorServer } from '@hono/node-server';
import * as z from 'zod';

import type * as server from '../../runtime/server/index.js';
import type * as stores from '../../runtime/stores/sqlite/index.js';
import { NO_LIMITS } from '../tasks/no-limits.js';
import { greetingOf, QUESTION, resourcesOf, TIMES, TOOL } from './offered.js';
import { features, MANY_SESSIONS, started, updated } from './ours-features.js';
import { listening } from './sessions.js';
import { WORK } from './work.js';

export const RESOURCE = 'http://localhost/mcp';
const ISSUER = 'https://issuer.example';

/** A folder with one file for each module, for the measurement of which files run. */
const FILES = process.env['BENCH_RUNTIME'];

/** As users run it. From its sources, tsx would set the name of each function that a request makes. */
async function built<T>(entry: string): Promise<T> {
  const url =
    FILES === undefined
      ? new URL(`../../runtime/dist/modules/${entry}.js`, import.meta.url)
      : new URL(`${entry.replaceAll('-', '/')}/index.js`, FILES);
  return (await import(url.href)) as T;
}

const runtime = await built<typeof server>('server');
const { bearer, createHttpHandler, createTaskServer, defineTool, serveHttp } = runtime;
const { openSqliteStore } = await built<typeof stores>('stores-sqlite');

/** The server as scaffolded for HTTP: SQLite, authorization, and checks of every message. */
export async function startOurs(limited: boolean): Promise<string> {
  const tasks = await taskServer(limited);
  const handle = await serveHttp(tasks, { auth: AUTH, ...(!limited && MANY_SESSIONS) });
  started(tasks);
  return handle.url;
}

/** The web-standard adapter, behind a bridge from Node's HTTP server. */
export async function startOursWeb(): Promise<string> {
  const tasks = await taskServer(false);
  const handler = createHttpHandler(tasks, { auth: AUTH, ...MANY_SESSIONS });
  started(tasks);
  const fetch = (request: Request): Promise<Response> => handler.fetch(request);
  return listening(createAdaptorServer({ fetch }) as Server);
}

function taskServer(limited: boolean): Promise<server.TaskServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return createTaskServer({
    name: 'ours',
    version: '1',
    tools: [
      ...CALLS,
      ...Object.entries(WORK).map(([name, work]) =>
        defineTool({
          name,
          description: 'A tool',
          input: EMPTY,
          taskSupport: 'required',
          run: async ({ task }) => String(await work(task.signal)),
        }),
      ),
    ],
    ...features(runtime),
    store: openSqliteStore({ file: join(folder, 'tasks.db') }),
    ...(!limited && { limits: NO_LIMITS }),
  });
}

const EMPTY = z.object({});
const description = 'A tool';
const CALLS = [
  defineTool({ name: TOOL.plain, description, input: EMPTY, run: () => 'done' }),
  defineTool({
    name: TOOL.steps,
    description,
    input: EMPTY,
    run({ task }) {
      for (let progress = 1; progress <= TIMES; progress += 1) {
        task.progress({ progress, total: TIMES });
      }
      return 'done';
    },
  }),
  defineTool({
    name: TOOL.ask,
    description,
    input: EMPTY,
    retryable: true,
    async run({ task }) {
      const { content } = await task.elicit(QUESTION);
      return greetingOf(content?.['name']);
    },
  }),
  defineTool({
    name: TOOL.touch,
    description,
    input: z.object({ uri: z.string() }),
    run({ args: { uri } }) {
      for (const each of resourcesOf(uri)) updated(each);
      return 'done';
    },
  }),
];

const AUTH = bearer({
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
