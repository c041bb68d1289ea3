import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTaskServer, taskState, type TaskAnswer } from './task-server.js';
import { kept, openTerminal, temporary } from './terminal.js';

async function ran(home: string, ...words: readonly string[]) {
  const { run, output, messages } = openTerminal({ person: false, home });
  const code = await run(...words);
  return { code, output: output(), messages: messages() };
}

/** A server with a task that was left running, and the id of the task. */
async function left() {
  const server = await openTaskServer();
  const home = temporary();
  expect((await ran(home, 'call', 'work', '--detach', '--server', server.url)).code).toBe(0);
  const id = kept(home)[0]?.slice(0, 12) ?? '';
  return { ...server, home, id };
}

const serverInfo = { name: 'tasks', version: '2' };
const DISCOVERED: TaskAnswer = {
  result: {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    serverInfo,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
  },
};

const refused: TaskAnswer = { error: { code: -32603, message: 'Not now' } };
const failed: TaskAnswer = { result: taskState('failed') };

describe('a task that cannot be kept', () => {
  const result: TaskAnswer = { result: { content: [{ type: 'text', text: 'done' }] } };

  it('is followed, and its reference is printed', async () => {
    const { url, answers } = await openTaskServer();
    Object.assign(answers, {
      'tasks/get': { result: taskState('completed') },
      'tasks/result': result,
    });
    const home = temporary();
    writeFileSync(join(home, 'file'), '');
    const words = ['call', 'work', '--state', join(home, 'file', 'tasks'), '--server', url];
    const followed = await ran(home, ...words);
    expect(followed).toMatchObject({ code: 0, output: 'done\n' });
    expect(followed.messages).toContain('cannot be written');
    expect(followed.messages).toMatch(/The task is running, and is not kept\. Its reference: \S+/);
    const detached = await ran(home, ...words, '--detach');
    expect(detached.code).toBe(2);
    expect(detached.messages).toMatch(/Its reference: \S+/);
  });
});

describe('the session of a command', () => {
  it('is ended with it, but not while a task in it runs', async () => {
    const { url, answers, ended } = await openTaskServer({ session: 's1' });
    const home = temporary();
    expect((await ran(home, 'describe', '--server', url)).code).toBe(0);
    expect(ended).toEqual(['s1']);
    expect((await ran(home, 'call', 'work', '--detach', '--server', url)).code).toBe(0);
    expect((await ran(home, 'describe', '--server', url)).code).toBe(0);
    expect(ended).toEqual(['s1']);
    answers['tasks/get'] = { result: taskState('completed') };
    answers['tasks/result'] = { result: { content: [{ type: 'text', text: 'done' }] } };
    const id = kept(home)[0]?.slice(0, 12) ?? '';
    expect(await ran(home, 'tasks', 'resume', id)).toMatchObject({ code: 0, output: 'done\n' });
    expect(ended).toEqual(['s1', 's1']);
  });

  it('is not asked of a server without one', async () => {
    const { url, ended } = await openTaskServer();
    expect((await ran(temporary(), 'describe', '--server', url)).code).toBe(0);
    expect(ended).toEqual([]);
  });
});

it('ends with 130 when Ctrl-C ends the watch of a task', async () => {
  const { home, id } = await left();
  const { run, interrupt, when } = openTerminal({ person: false, home });
  const watching = run('tasks', 'watch', id);
  await when('working');
  interrupt();
  expect(await watching).toBe(130);
  expect(kept(home)).toEqual([`${id}.json`]);
});

describe('a result with files', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
  const completed = {
    'tasks/get': { result: taskState('completed') },
    'tasks/result': { result: { content: [image] } },
  };

  it('stays at its task until they are saved', async () => {
    const { url, answers } = await openTaskServer();
    Object.assign(answers, completed);
    const home = temporary();
    const file = join(home, 'file');
    writeFileSync(file, '');
    const call = await ran(home, 'call', 'work', '--save', file, '--server', url);
    expect(call.code).toBe(2);
    const id = kept(home)[0]?.slice(0, 12) ?? '';
    expect(call.messages).toContain(`mcp-codegen tasks resume ${id}`);
    expect((await ran(home, 'tasks', 'get', id, '--save', file)).code).toBe(2);
    expect((await ran(home, 'tasks', 'resume', id, '--save', join(home, 'out'))).code).toBe(0);
    expect(kept(home)).toEqual([]);
  });
});

describe('a kept task', () => {
  it.each<[string, Record<string, TaskAnswer>, string]>([
    ['it cannot be cancelled', { 'tasks/cancel': refused }, 'cancel'],
    ['there are too many requests', { 'tasks/get': 429 }, 'get'],
    ['the server has an error', { 'tasks/get': refused }, 'get'],
    ['the server has an error later', { 'tasks/get': refused }, 'resume'],
    ['the wait ends', { 'tasks/result': 'none', 'tasks/cancel': refused }, 'resume'],
    ['its server speaks the other dialect', { 'server/discover': DISCOVERED }, 'get'],
    ['the answer makes no sense', { 'tasks/get': { result: { status: 7 } } }, 'get'],
  ])('stays when %s', async (_, answers, command) => {
    const { answers: current, home, id } = await left();
    Object.assign(current, answers);
    const { code } = await ran(home, 'tasks', command, id, '--timeout', '2');
    expect(code).toBeGreaterThan(2);
    expect(kept(home)).toEqual([`${id}.json`]);
  });

  it.each<[string, Record<string, TaskAnswer>, string]>([
    ['is cancelled', {}, 'cancel'],
    ['has expired', { 'tasks/get': { error: { code: -32602, message: 'Task not found' } } }, 'get'],
    ['was cancelled', { 'tasks/get': { result: taskState('cancelled') } }, 'resume'],
    ['has failed', { 'tasks/get': failed, 'tasks/result': refused }, 'resume'],
    [
      'has failed in its tool',
      { 'tasks/get': failed, 'tasks/result': { result: { content: [], isError: true } } },
      'get',
    ],
  ])('is forgotten when it %s', async (_, answers, command) => {
    const { answers: current, home, id } = await left();
    Object.assign(current, answers);
    await ran(home, 'tasks', command, id);
    expect(kept(home)).toEqual([]);
  });
});
