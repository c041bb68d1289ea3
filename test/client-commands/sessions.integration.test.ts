import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

import { kept, KEYS, openTerminal, tasksFolder, temporary } from './terminal.js';

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
async function left(url: string): Promise<{ readonly id: string; readonly home: string }> {
  const home = temporary();
  const { run, output } = openTerminal({ person: false, home });
  expect(await run('call', 'work', '--detach', '--json', '--server', url)).toBe(0);
  const { task } = JSON.parse(output()) as { task: { id: string } };
  return { id: task.id, home };
}

it('takes a task of SDK v1 up in its session', async () => {
  const { url, works } = await openV1();
  const { id, home } = await left(url);
  const looking = openTerminal({ person: false, home });
  expect(await looking.run('tasks', 'get', id, '--json')).toBe(0);
  expect(JSON.parse(looking.output())).toMatchObject({ state: { status: 'working' } });
  const resuming = openTerminal({ person: false, home });
  const resumed = resuming.run('tasks', 'resume', id);
  await resuming.when('working');
  await works[0]?.finish('done in its session');
  expect(await resumed).toBe(0);
  expect(resuming.output()).toBe('done in its session\n');
  expect(kept(home)).toEqual([]);
});

it('answers what a task asks that was taken up in its session', async () => {
  const { url, works } = await openV1();
  const { id, home } = await left(url);
  const person = openTerminal({ home });
  const resumed = person.run('tasks', 'resume', id);
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
  const { id, home } = await left(url);
  const { run, output } = openTerminal({ person: false, home });
  expect(await run('tasks', 'cancel', id)).toBe(0);
  expect(output()).toContain('cancelled');
});

it('says that a task is gone when its session is, and forgets it', async () => {
  const server = await openV1();
  const { id, home } = await left(server.url);
  server.forgetSessions();
  const { run, messages } = openTerminal({ person: false, home });
  expect(await run('tasks', 'get', id)).toBe(7);
  expect(messages()).toContain('has no such task');
  expect(kept(home)).toEqual([]);
});

it('keeps sessions for the user alone, and shows none', async () => {
  const { url } = await openV1();
  const { id, home } = await left(url);
  const file = join(tasksFolder(home), `${id}.json`);
  const { session } = JSON.parse(readFileSync(file, 'utf8')) as { session: { id: string } };
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  for (const words of [
    ['tasks', 'list', '--json'],
    ['tasks', 'get', id, '--json'],
  ]) {
    const { run, output } = openTerminal({ person: false, home });
    expect(await run(...words)).toBe(0);
    expect(output()).toContain(id);
    expect(output()).not.toContain(session.id);
  }
});

it.each([[], ['--json']])(
  'says once whether a task that took too long was cancelled',
  async (...flags) => {
    const { url } = await openV1();
    const { run, output, messages, home } = openTerminal({ person: false });
    expect(await run('call', 'work', '--timeout', '1', '--server', url, ...flags)).toBe(7);
    const said = output() + messages();
    expect(said.match(/its task was cancelled/g)).toHaveLength(1);
    expect(said).not.toMatch(/kept|resume|may still/);
    expect(kept(home)).toEqual([]);
  },
);
