import { META_KEYS } from '../../../generated/2025-11-25/protocol.js';
import type { Message } from '../recording.js';
import { Tape } from './tape.js';

const INFO = { name: 'test', version: '1' };
const RELATED = META_KEYS.relatedTask;
const PNG = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const DEGREES = {
  type: 'object',
  properties: { degrees: { type: 'number' } },
  required: ['degrees'],
};

export const task = (taskId: string, status: string): Message => ({
  taskId,
  status,
  createdAt: '2026-08-01T00:00:00Z',
  lastUpdatedAt: '2026-08-01T00:00:00Z',
  ttl: 60_000,
  pollInterval: 500,
});

/** A session of 2025-11-25 with everything that the revision has, and that breaks no rule. */
export function sessionTape(revision = '2025-11-25'): Tape {
  const tape = new Tape();
  let id = 0;
  /** A request and its answer, named `name` and `name answer`. */
  const ask = (
    name: string,
    method: string,
    params: Message | undefined,
    result: Message,
  ): void => {
    id += 1;
    tape.client(name, { id, method, ...(params && { params }) });
    tape.server(`${name} answer`, { id, result });
  };
  const asked = (
    name: string,
    method: string,
    params: Message | undefined,
    result: Message,
  ): void => {
    id += 1;
    tape.server(name, { id, method, ...(params && { params }) });
    tape.client(`${name} answer`, { id, result });
  };
  const capabilities = {
    roots: { listChanged: true },
    sampling: { tools: {}, context: {} },
    elicitation: { form: {}, url: {} },
    tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } },
  };
  ask(
    'initialize',
    'initialize',
    { protocolVersion: revision, capabilities, clientInfo: INFO },
    {
      protocolVersion: revision,
      serverInfo: INFO,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      },
    },
  );
  tape.client('initialized', { method: 'notifications/initialized' });
  ask('ping', 'ping', undefined, {});
  ask('tools', 'tools/list', undefined, {
    tools: [
      {
        name: 'weather',
        inputSchema: CITY,
        outputSchema: DEGREES,
        execution: { taskSupport: 'optional' },
      },
      { name: 'slow', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
    ],
    nextCursor: 'page-2',
  });
  ask(
    'more tools',
    'tools/list',
    { cursor: 'page-2' },
    {
      tools: [{ name: 'plain', inputSchema: { type: 'object' } }],
    },
  );
  tape.client('call', {
    id: 'call',
    method: 'tools/call',
    params: { name: 'weather', arguments: { city: 'Rome' }, _meta: { progressToken: 'p' } },
  });
  tape.server('progress', {
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 1 },
  });
  tape.server('progress 2', {
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: 2 },
  });
  tape.server('call answer', {
    id: 'call',
    result: { content: [{ type: 'text', text: '20' }, PNG], structuredContent: { degrees: 20 } },
  });
  ask('plain', 'tools/call', { name: 'plain' }, { content: [] });
  tape.client('dropped', { id: 'dropped', method: 'tools/call', params: { name: 'plain' } });
  tape.client('cancel', { method: 'notifications/cancelled', params: { requestId: 'dropped' } });
  ask('resources', 'resources/list', undefined, {
    resources: [{ name: 'a', uri: 'file:///a.txt' }],
  });
  ask(
    'read',
    'resources/read',
    { uri: 'file:///a.txt' },
    { contents: [{ uri: 'file:///a.txt', blob: 'aGk=' }] },
  );
  ask('subscribe', 'resources/subscribe', { uri: 'file:///a.txt' }, {});
  tape.server('updated', {
    method: 'notifications/resources/updated',
    params: { uri: 'file:///a.txt' },
  });
  const ref = { type: 'ref/prompt', name: 'greet' };
  ask(
    'complete',
    'completion/complete',
    { ref, argument: { name: 'who', value: 'A' } },
    {
      completion: { values: ['Ann'] },
    },
  );
  ask('level', 'logging/setLevel', { level: 'warning' }, {});
  tape.server('log', { method: 'notifications/message', params: { level: 'error', data: 'x' } });
  asked('roots', 'roots/list', undefined, { roots: [{ uri: 'file:///home' }] });
  asked(
    'form',
    'elicitation/create',
    { message: 'Where?', requestedSchema: CITY },
    {
      action: 'accept',
      content: { city: 'Rome' },
    },
  );
  asked(
    'url',
    'elicitation/create',
    {
      mode: 'url',
      message: 'Sign in',
      url: 'https://example.com/in',
      elicitationId: 'e1',
    },
    { action: 'accept' },
  );
  tape.server('url done', {
    method: 'notifications/elicitation/complete',
    params: { elicitationId: 'e1' },
  });
  const use = { type: 'tool_use', id: 'u1', name: 'add', input: {} };
  const done = { type: 'tool_result', toolUseId: 'u1', content: [] };
  asked(
    'sample',
    'sampling/createMessage',
    {
      maxTokens: 9,
      messages: [
        { role: 'user', content: { type: 'text', text: 'Add' } },
        { role: 'assistant', content: [use] },
        { role: 'user', content: [done] },
      ],
      tools: [{ name: 'add', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'none' },
    },
    { role: 'assistant', model: 'm', content: { type: 'text', text: '3' }, stopReason: 'endTurn' },
  );

  const call = {
    name: 'weather',
    arguments: { city: 'Oslo' },
    task: {},
    _meta: { progressToken: 't' },
  };
  ask('create', 'tools/call', call, { task: task('t1', 'working') });
  tape.server('task progress', {
    method: 'notifications/progress',
    params: { progressToken: 't', progress: 1 },
  });
  ask('list tasks', 'tasks/list', {}, { tasks: [task('t1', 'working')] });
  ask('get', 'tasks/get', { taskId: 't1' }, task('t1', 'working'));
  const related = { [RELATED]: { taskId: 't1' } };
  asked(
    'ask for task',
    'elicitation/create',
    { message: 'Which?', requestedSchema: CITY, _meta: related },
    {
      action: 'decline',
      _meta: related,
    },
  );
  ask('get again', 'tasks/get', { taskId: 't1' }, task('t1', 'completed'));
  tape.server('status', { method: 'notifications/tasks/status', params: task('t1', 'completed') });
  ask('list tasks again', 'tasks/list', {}, { tasks: [task('t1', 'completed')] });
  ask('get at last', 'tasks/get', { taskId: 't1' }, task('t1', 'completed'));
  const weather = { content: [], structuredContent: { degrees: 3 }, _meta: related };
  ask('result', 'tasks/result', { taskId: 't1' }, weather);
  ask('result again', 'tasks/result', { taskId: 't1' }, weather);
  ask('create slow', 'tools/call', { name: 'slow', task: {} }, { task: task('t2', 'working') });
  ask('cancel task', 'tasks/cancel', { taskId: 't2' }, task('t2', 'cancelled'));
  ask('create failing', 'tools/call', { name: 'slow', task: {} }, { task: task('t3', 'working') });
  ask('get failed', 'tasks/get', { taskId: 't3' }, task('t3', 'failed'));
  const failure = { content: [], isError: true, _meta: { [RELATED]: { taskId: 't3' } } };
  ask('failed result', 'tasks/result', { taskId: 't3' }, failure);
  return tape;
}

/** A session of the revision that has batches. */
export function batchTape(): Tape {
  const tape = new Tape();
  const protocolVersion = '2025-03-26';
  const params = { protocolVersion, capabilities: {}, clientInfo: INFO };
  tape.client('initialize', { id: 1, method: 'initialize', params });
  tape.server('initialize answer', {
    id: 1,
    result: { protocolVersion, capabilities: {}, serverInfo: INFO },
  });
  tape.client('initialized', { method: 'notifications/initialized' });
  tape.client('ping', { id: 2, method: 'ping' });
  tape.server('ping answer', { id: 2, result: {} });
  return tape;
}
