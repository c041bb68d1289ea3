import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { run } from '../../templates/client/src/run.js';
import { KEYS, openTerminal } from '../../templates/client/test/terminal.js';

/** What a tool that became a task may do. */
interface Work {
  ask(): Promise<unknown>;
  finish(text: string): Promise<void>;
}

interface V1 {
  readonly url: string;
  /** The tasks so far. */
  readonly works: readonly Work[];
  /** Ends all sessions, as a restart would; tasks stay. */
  forgetSessions(): void;
}

/** A server of SDK v1 over HTTP with its own tasks, which it shows in their session only. */
async function openV1(): Promise<V1> {
  const store = new InMemoryTaskStore();
  const works: Work[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  async function session(): Promise<StreamableHTTPServerTransport> {
    const server = new McpServer(
      { name: 'v1', version: '1' },
      {
        taskStore: store,
        taskMessageQueue: new InMemoryTaskMessageQueue(),
        capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      },
    );
    server.experimental.tasks.registerToolTask(
      'work',
      { description: 'Works', execution: { taskSupport: 'required' } },
      {
        async createTask({ taskStore, sendRequest }) {
          const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
          works.push({
            async ask() {
              await taskStore.updateTaskStatus(task.taskId, 'input_required');
              const requestedSchema = {
                type: 'object' as const,
                properties: { name: { type: 'string' as const } },
              };
              const params = { message: 'Who?', requestedSchema };
              const method = 'elicitation/create';
              const related: object = { relatedTask: { taskId: task.taskId } };
              const answer = await sendRequest({ method, params }, z.looseObject({}), related);
              await taskStore.updateTaskStatus(task.taskId, 'working');
              return answer;
            },
            finish: (text) =>
              taskStore.storeTaskResult(task.taskId, 'completed', {
                content: [{ type: 'text', text }],
              }),
          });
          return { task };
        },
        getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
        async getTaskResult({ taskId, taskStore }) {
          return CallToolResultSchema.parse(await taskStore.getTaskResult(taskId));
        },
      },
    );
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  }

  const http = createServer((request, response) => {
    void (async () => {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && known === undefined) return void response.writeHead(404).end();
      await (known ?? (await session())).handleRequest(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    store.cleanup();
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    works,
    forgetSessions: () => sessions.clear(),
  };
}

/** Starts a task and leaves it; returns its id and the folder that keeps it. */
async function left(url: string): Promise<{ readonly id: string; readonly state: string }> {
  const state = mkdtempSync(join(tmpdir(), 'mcp-codegen-sessions-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const { io, output } = openTerminal({ person: false });
  const words = ['call', 'work', '--detach', '--json', '--state', state, '--server', url];
  expect(await run(words, io)).toBe(0);
  const { task } = JSON.parse(output()) as { task: { id: string } };
  return { id: task.id, state };
}

it('takes a task of SDK v1 up in its session', async () => {
  const { url, works } = await openV1();
  const { id, state } = await left(url);
  const looking = openTerminal({ person: false });
  expect(await run(['tasks', 'get', id, '--json', '--state', state], looking.io)).toBe(0);
  expect(JSON.parse(looking.output())).toMatchObject({ state: { status: 'working' } });
  const resuming = openTerminal({ person: false });
  const resumed = run(['tasks', 'resume', id, '--state', state], resuming.io);
  await resuming.when('working');
  await works[0]?.finish('done in its session');
  expect(await resumed).toBe(0);
  expect(resuming.output()).toBe('done in its session\n');
  expect(readdirSync(state)).toEqual([]);
});

it('answers what a task asks that was taken up in its session', async () => {
  const { url, works } = await openV1();
  const { id, state } = await left(url);
  const person = openTerminal();
  const resumed = run(['tasks', 'resume', id, '--state', state], person.io);
  await person.when('working');
  const answered = works[0]?.ask();
  await person.when('Answer?', KEYS.enter);
  await person.when('name', ...'Ann', KEYS.enter);
  expect(await answered).toMatchObject({ action: 'accept', content: { name: 'Ann' } });
  await works[0]?.finish('done');
  expect(await resumed).toBe(0);
});

it('cancels a task in its session', async () => {
  const { url } = await openV1();
  const { id, state } = await left(url);
  const { io, output } = openTerminal({ person: false });
  expect(await run(['tasks', 'cancel', id, '--state', state], io)).toBe(0);
  expect(output()).toContain('cancelled');
});

it('says that a task is gone when its session is, and forgets it', async () => {
  const server = await openV1();
  const { id, state } = await left(server.url);
  server.forgetSessions();
  const { io, messages } = openTerminal({ person: false });
  expect(await run(['tasks', 'get', id, '--state', state], io)).toBe(4);
  expect(messages()).toContain('has no such task');
  expect(readdirSync(state)).toEqual([]);
});

it('keeps sessions for the user alone, and shows none', async () => {
  const { url } = await openV1();
  const { id, state } = await left(url);
  const file = join(state, `${id}.json`);
  const { session } = JSON.parse(readFileSync(file, 'utf8')) as { session: { id: string } };
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  for (const words of [
    ['tasks', 'list', '--json'],
    ['tasks', 'get', id, '--json'],
  ]) {
    const { io, output } = openTerminal({ person: false });
    expect(await run([...words, '--state', state], io)).toBe(0);
    expect(output()).toContain(id);
    expect(output()).not.toContain(session.id);
  }
});

it.each([[], ['--json']])(
  'says once whether a task that took too long was cancelled',
  async (...flags) => {
    const { url } = await openV1();
    const state = mkdtempSync(join(tmpdir(), 'mcp-codegen-sessions-'));
    onTestFinished(() => rmSync(state, { recursive: true, force: true }));
    const { io, output, messages } = openTerminal({ person: false });
    const words = ['call', 'work', '--timeout', '1', '--state', state, '--server', url, ...flags];
    expect(await run(words, io)).toBe(4);
    const said = output() + messages();
    expect(said.match(/its task was cancelled/g)).toHaveLength(1);
    expect(said).not.toMatch(/kept|resume|may still/);
    expect(readdirSync(state)).toEqual([]);
  },
);
