import { META_KEYS, PROTOCOL_VERSION } from '../../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../../generated/ext-tasks/protocol.js';
import type { Message } from '../recording.js';
import { Tape } from './tape.js';

const INFO = { name: 'test', version: '1' };
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const COMPLETE = { resultType: 'complete' };
const CACHED = { ttlMs: 0, cacheScope: 'public' };

export const extTask = (taskId: string, status: string): Message => ({
  taskId,
  status,
  createdAt: '2026-08-01T00:00:00Z',
  lastUpdatedAt: '2026-08-01T00:00:00Z',
  ttlMs: 60_000,
  pollIntervalMs: 500,
});

/** A conversation of 2026-07-28 with tasks, rounds of questions and subscriptions, that breaks no rule. */
export function statelessTape(): Tape {
  const tape = new Tape();
  let id = 0;
  const meta = (more: Message = {}): Message => ({
    [META_KEYS.protocolVersion]: PROTOCOL_VERSION,
    [META_KEYS.clientInfo]: INFO,
    [META_KEYS.clientCapabilities]: {
      elicitation: {},
      roots: {},
      sampling: { tools: {} },
      extensions: { [EXTENSION_ID]: {} },
    },
    ...more,
  });
  const ask = (name: string, method: string, params: Message, result: Message): void => {
    id += 1;
    tape.client(name, {
      id,
      method,
      params: { ...params, _meta: meta(params['_meta'] as Message) },
    });
    tape.server(`${name} answer`, { id, result: { ...COMPLETE, ...result } });
  };
  ask(
    'discover',
    'server/discover',
    {},
    {
      ...CACHED,
      supportedVersions: [PROTOCOL_VERSION],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        logging: {},
        extensions: { [EXTENSION_ID]: {} },
      },
    },
  );
  const tools = [
    { name: 'weather', inputSchema: CITY },
    { name: 'plain', inputSchema: { type: 'object' } },
  ];
  ask('tools', 'tools/list', {}, { ...CACHED, tools });
  ask('tools again', 'tools/list', {}, { ...CACHED, tools });
  const resources = [{ name: 'a', uri: 'file:///a.txt' }];
  ask('resources', 'resources/list', {}, { ...CACHED, resources, nextCursor: 'c2' });
  ask('more resources', 'resources/list', { cursor: 'c2' }, { ...CACHED, resources: [] });

  tape.client('logged', {
    id: 'logged',
    method: 'tools/call',
    params: {
      name: 'plain',
      _meta: meta({
        [META_KEYS.logLevel]: 'info',
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      }),
    },
  });
  tape.server('log', { method: 'notifications/message', params: { level: 'info', data: 'x' } });
  tape.server('logged answer', { id: 'logged', result: { ...COMPLETE, content: [] } });
  ask('missing', 'tools/call', { name: 'plain' }, { content: [] });
  tape.edit('missing answer', (message: Message) => {
    delete message['result'];
    message['error'] = { code: -32602, message: 'no such tool' };
  });

  const first = { name: 'weather', arguments: { city: 'Rome' } };
  const form = { method: 'elicitation/create', params: { message: 'Day?', requestedSchema: CITY } };
  ask('round 1', 'tools/call', first, {
    resultType: 'input_required',
    inputRequests: { day: form, roots: { method: 'roots/list' } },
    requestState: 's1',
  });
  const day = { action: 'accept', content: { city: 'Rome' } };
  ask(
    'round 2',
    'tools/call',
    { ...first, inputResponses: { day, roots: { roots: [] } }, requestState: 's1' },
    {
      content: [],
    },
  );

  const listens = { toolsListChanged: true, taskIds: ['x1'] };
  tape.client('listen', {
    id: 'l1',
    method: 'subscriptions/listen',
    params: { notifications: listens, _meta: meta() },
  });
  const stream = { [META_KEYS.subscriptionId]: 'l1' };
  tape.server('acknowledged', {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: listens, _meta: stream },
  });
  tape.server('changed', { method: 'notifications/tools/list_changed', params: { _meta: stream } });

  const created = { resultType: 'task', ...extTask('x1', 'working') };
  ask(
    'create',
    'tools/call',
    { name: 'plain', arguments: { n: 1 }, _meta: { progressToken: 't' } },
    created,
  );
  tape.server('task progress', {
    method: 'notifications/progress',
    params: { progressToken: 't', progress: 1 },
  });
  ask('get', 'tasks/get', { taskId: 'x1' }, extTask('x1', 'working'));
  const requests = { q1: form };
  ask(
    'get asking',
    'tasks/get',
    { taskId: 'x1' },
    { ...extTask('x1', 'input_required'), inputRequests: requests },
  );
  ask('update', 'tasks/update', { taskId: 'x1', inputResponses: { q1: day } }, {});
  const result = { ...COMPLETE, content: [] };
  ask('get done', 'tasks/get', { taskId: 'x1' }, { ...extTask('x1', 'completed'), result });
  tape.server('task event', {
    method: 'notifications/tasks',
    params: { ...extTask('x1', 'completed'), result, _meta: stream },
  });
  ask('get done again', 'tasks/get', { taskId: 'x1' }, { ...extTask('x1', 'completed'), result });
  ask(
    'create 2',
    'tools/call',
    { name: 'plain', arguments: { n: 2 } },
    { ...created, taskId: 'x2' },
  );
  tape.server('listen answer', { id: 'l1', result: { ...COMPLETE, _meta: stream } });
  return tape;
}
