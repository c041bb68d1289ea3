import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { Driver, recorded, transportTo } from './recording.js';
import type { Kind, Line, Message } from './recording.js';
import { createTaskClient } from '../../runtime/client/index.js';

/** Conversations with a real server in a process of its own, written down. */

const INFO = { name: 'test', version: '1' };
const RELATED = 'io.modelcontextprotocol/related-task';
const REPLY = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Good day' } };
const FORM = { action: 'accept', content: { name: 'Ann' } };

function get(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Message | undefined)?.[key], value);
}

/** Answers a form as part of the task that it belongs to. */
function respond(request: Message): Message {
  const related = get(request, 'params', '_meta', RELATED);
  return { ...FORM, ...(related !== undefined && { _meta: { [RELATED]: related } }) };
}

async function until(
  poll: () => Promise<Message>,
  holds: (result: Message) => boolean,
): Promise<Message> {
  for (;;) {
    const { result } = await poll();
    if (holds(result as Message)) return result as Message;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function legacy(
  kind: Kind,
  url: string,
  protocolVersion: string,
  capabilities: Message = {},
): Promise<Driver> {
  const driver = new Driver(transportTo(kind, url), undefined, respond);
  await driver.start();
  await driver.request('initialize', { protocolVersion, capabilities, clientInfo: INFO });
  driver.setProtocolVersion(protocolVersion);
  await driver.notify('notifications/initialized');
  return driver;
}

export async function plain(kind: Kind, url: string, revision: string): Promise<Line[]> {
  const driver = await legacy(kind, url, revision);
  await driver.request('ping');
  await driver.request('tools/list');
  const _meta = { progressToken: 'add' };
  await driver.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 }, _meta });
  await driver.request('tools/call', { name: 'failing', arguments: {} });
  await driver.request('tools/call', { name: 'nothing-such' });
  await driver.close();
  return driver.lines;
}

export async function coreTasks(kind: Kind, url: string): Promise<Line[]> {
  const driver = await legacy(kind, url, '2025-11-25', { elicitation: {} });
  await driver.request('tools/list');
  const create = async (name: string, args: Message, more: Message = {}): Promise<string> => {
    const params = { name, arguments: args, task: { ttl: 60_000 }, ...more };
    const created = await driver.request('tools/call', params);
    return get(created, 'result', 'task', 'taskId') as string;
  };
  const task = (taskId: string) => () => driver.request('tasks/get', { taskId });
  const waits = await create('wait', { ms: 40 }, { _meta: { progressToken: 'wait' } });
  await until(task(waits), ({ status }) => status === 'completed');
  await driver.request('tasks/result', { taskId: waits });
  const asks = await create('asks-once', {});
  await driver.request('tasks/result', { taskId: asks });
  for (const name of ['failing', 'broken']) {
    const taskId = await create(name, {});
    await until(task(taskId), ({ status }) => status === 'failed');
    await driver.request('tasks/result', { taskId });
  }
  const held = await create('held', { label: `validate-core-${kind}` });
  await driver.request('tasks/cancel', { taskId: held });
  await driver.request('tasks/cancel', { taskId: held });
  await driver.request('tasks/get', { taskId: held });
  await driver.request('tasks/get', { taskId: 'nothing-such' });
  await driver.request('tasks/list', {});
  await driver.close();
  return driver.lines;
}

const EXTENDED = { elicitation: {}, sampling: {}, extensions: { [EXTENSION_ID]: {} } };

async function modern(kind: Kind, url: string, capabilities: Message): Promise<Driver> {
  const meta = {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: INFO,
    [META_KEYS.clientCapabilities]: capabilities,
  };
  const driver = new Driver(transportTo(kind, url), meta, respond);
  await driver.start();
  driver.setProtocolVersion('2026-07-28');
  await driver.request('server/discover');
  return driver;
}

export async function extTasks(kind: Kind, url: string): Promise<Line[]> {
  const driver = await modern(kind, url, EXTENDED);
  await driver.request('tools/list');
  await driver.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
  const create = async (name: string, args: Message): Promise<string> => {
    const created = await driver.request('tools/call', { name, arguments: args });
    return get(created, 'result', 'taskId') as string;
  };
  const poll = (taskId: string) => () => driver.request('tasks/get', { taskId });
  const waits = await create('wait', { ms: 150 });
  const { id, answer } = driver.open('subscriptions/listen', {
    notifications: { taskIds: [waits, 'nothing-such'], toolsListChanged: true },
  });
  await driver.heard(({ method, params }) => {
    return method === 'notifications/tasks' && get(params, 'status') === 'completed';
  });
  void answer;
  await driver.notify('notifications/cancelled', { requestId: id });
  await driver.request('tasks/get', { taskId: waits });
  const asks = await create('asks-once', {});
  const asking = await until(poll(asks), ({ status }) => status === 'input_required');
  const key = Object.keys(asking['inputRequests'] as Message)[0] ?? '';
  await driver.request('tasks/update', { taskId: asks, inputResponses: { [key]: FORM } });
  await until(poll(asks), ({ status }) => status === 'completed');
  await until(poll(await create('broken', {})), ({ status }) => status === 'failed');
  await until(poll(await create('failing', {})), ({ status }) => status === 'completed');
  const held = await create('held', { label: `validate-ext-${kind}` });
  await driver.request('tasks/cancel', { taskId: held });
  await until(poll(held), ({ status }) => status === 'cancelled');
  await driver.request('tasks/cancel', { taskId: held });
  await driver.request('tasks/get', { taskId: 'nothing-such' });
  await driver.close();
  return driver.lines;
}

/** Questions in rounds, from a client without the extension. */
export async function rounds(kind: Kind, url: string): Promise<Line[]> {
  const driver = await modern(kind, url, { elicitation: {}, sampling: {} });
  let more: Message = {};
  for (;;) {
    const { result } = await driver.request('tools/call', { name: 'asks', arguments: {}, ...more });
    const asked = get(result, 'inputRequests') as Message | undefined;
    if (asked === undefined) break;
    const responses = Object.entries(asked).map(([key, request]) => [
      key,
      get(request, 'method') === 'elicitation/create' ? FORM : REPLY,
    ]);
    const state = get(result, 'requestState');
    more = { inputResponses: Object.fromEntries(responses), requestState: state };
  }
  await driver.request('tools/call', { name: 'task-only', arguments: {} });
  await driver.close();
  return driver.lines;
}

/** What our own client makes of calls, tasks and questions. */
export async function ownClient(kind: Kind, url: string, mode: 'legacy' | 'auto'): Promise<Line[]> {
  const lines: Line[] = [];
  const tasks = createTaskClient({
    ...INFO,
    ...(mode === 'legacy' && { revisions: ['2025-11-25'] }),
    answer: { form: () => ({ action: 'accept', content: { name: 'Ann' } }) },
  });
  await tasks.connect(recorded(transportTo(kind, url), lines));
  for (const [name, args] of [
    ['add', { a: 1, b: 2 }],
    ['wait', { ms: 30 }],
    ['asks-once', {}],
  ] as const) {
    const handle = await tasks.start(name, args, {});
    await handle.result();
  }
  await tasks.close();
  return lines;
}

export async function recordAll(url: string): Promise<ReadonlyMap<string, readonly Line[]>> {
  const all = new Map<string, readonly Line[]>();
  for (const kind of ['stdio', 'http'] as const) {
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      all.set(`${revision} over ${kind}`, await plain(kind, url, revision));
    }
    all.set(`core tasks over ${kind}`, await coreTasks(kind, url));
    all.set(`ext tasks over ${kind}`, await extTasks(kind, url));
    all.set(`rounds over ${kind}`, await rounds(kind, url));
    all.set(`own client, legacy, over ${kind}`, await ownClient(kind, url, 'legacy'));
    all.set(`own client, modern, over ${kind}`, await ownClient(kind, url, 'auto'));
  }
  return all;
}
