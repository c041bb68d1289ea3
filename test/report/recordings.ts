/** Recordings for the report: a conversation in each dialect of tasks, as long as wanted. */

type Message = Record<string, unknown>;

/** A message with its sender and its time. */
export interface Line {
  readonly direction: string;
  readonly time: string;
  readonly message: Message;
}

const BEGIN = Date.parse('2026-07-28T09:00:00Z');
const RELATED = 'io.modelcontextprotocol/related-task';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = { name: 'example-client', version: '1.4.0' };
const SERVER = { name: 'example-server', version: '2.0.1' };
const FORM = {
  mode: 'form',
  message: 'Which report shall be sent?',
  requestedSchema: {
    type: 'object',
    properties: { email: { type: 'string' }, pages: { type: 'number' } },
    required: ['email'],
  },
};
/** Values that a report contains only with `--show-secrets`. */
export const SECRETS = {
  email: 'ann.secret@example.org',
  key: 'key-5f2d81c0aa',
  bearer: 'abc.def-ghi_jkl',
} as const;

/** Writes messages down, with a time that goes on by a seeded amount. */
class Tape {
  readonly lines: Line[] = [];
  #now = BEGIN;
  #seed = 7;
  #id = 0;

  next(): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return this.#seed / 2_147_483_648;
  }

  wait(ms: number): void {
    this.#now += ms;
  }

  get now(): string {
    return new Date(this.#now).toISOString();
  }

  add(direction: string, message: Message): void {
    this.lines.push({ direction, time: this.now, message: { jsonrpc: '2.0', ...message } });
    this.wait(0.4 + this.next() * 3);
  }

  request(direction: string, method: string, params: Message, answer: Message, ms = 8): number {
    const id = this.ask(direction, method, params);
    this.wait(ms * (0.4 + this.next() ** 3 * 4));
    this.answer(direction, id, answer);
    return id;
  }

  ask(direction: string, method: string, params: Message): number {
    this.#id += 1;
    this.add(direction, { id: this.#id, method, params });
    return this.#id;
  }

  answer(direction: string, id: number, result: Message): void {
    this.add(direction === TO ? BACK : TO, { id, result });
  }
}

const TO = 'client->server';
const BACK = 'server->client';
const TOOLS = ['search', 'render', 'convert', 'mail'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  execution: { taskSupport: 'optional' },
}));
const text = (said: string): Message => ({ content: [{ type: 'text', text: said }] });

/** 2025-11-25 with its tasks, up to this many messages. */
export function coreRecording(count: number): Line[] {
  const tape = new Tape();
  const capabilities = {
    tools: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  };
  tape.request(
    TO,
    'initialize',
    {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {}, sampling: {} },
      clientInfo: CLIENT,
    },
    { protocolVersion: '2025-11-25', capabilities, serverInfo: SERVER },
    40,
  );
  tape.add(TO, { method: 'notifications/initialized' });
  tape.request(TO, 'tools/list', {}, { tools: TOOLS }, 12);
  for (let turn = 0; tape.lines.length < count; turn += 1) {
    if (turn % 4 === 2) coreTask(tape, `task-${String(turn)}`, turn % 8 === 2);
    else call(tape, turn);
  }
  return tape.lines.slice(0, count);
}

function call(tape: Tape, turn: number): void {
  const name = TOOLS[turn % TOOLS.length]?.name ?? 'search';
  const args = { query: `chapter ${String(turn)}`, apiKey: SECRETS.key };
  const headers = { Authorization: `Bearer ${SECRETS.bearer}` };
  const id = tape.ask(TO, 'tools/call', { name, arguments: { ...args, headers } });
  tape.wait(5 + tape.next() ** 4 * 400);
  if (turn % 9 === 4) {
    tape.add(BACK, { id, error: { code: -32602, message: `Unknown chapter ${String(turn)}` } });
  } else {
    tape.answer(TO, id, text(`Found ${String(turn)} passages`));
  }
}

function coreTask(tape: Tape, taskId: string, asks: boolean): void {
  const createdAt = tape.now;
  const task = (status: string): Message => ({
    taskId,
    status,
    createdAt,
    lastUpdatedAt: tape.now,
    ttl: 60_000,
    pollInterval: 500,
  });
  const _meta = { [RELATED]: { taskId } };
  const params = { name: 'render', arguments: { pages: 12 }, task: { ttl: 60_000 } };
  tape.request(
    TO,
    'tools/call',
    { ...params, _meta: { progressToken: taskId } },
    { task: task('working') },
  );
  for (const progress of [3, 6]) {
    tape.wait(900);
    const done = { progressToken: taskId, progress, total: 12, message: 'pages rendered' };
    tape.add(BACK, { method: 'notifications/progress', params: { ...done, _meta } });
  }
  if (asks) {
    tape.add(BACK, { method: 'notifications/tasks/status', params: task('input_required') });
    tape.request(TO, 'tasks/get', { taskId }, task('input_required'));
    const result = tape.ask(TO, 'tasks/result', { taskId });
    const content = { email: SECRETS.email, pages: 12 };
    tape.request(
      BACK,
      'elicitation/create',
      { ...FORM, _meta },
      { action: 'accept', content, _meta },
      1500,
    );
    tape.wait(800);
    tape.add(BACK, { method: 'notifications/tasks/status', params: task('completed') });
    tape.answer(TO, result, { ...text('The report was sent'), _meta });
    return;
  }
  tape.wait(700);
  tape.request(TO, 'tasks/get', { taskId }, task('completed'));
  tape.request(TO, 'tasks/result', { taskId }, { ...text('Rendered'), _meta });
}

/** 2026-07-28 with the tasks extension, up to this many messages. */
export function extRecording(count: number): Line[] {
  const tape = new Tape();
  const extensions = { 'io.modelcontextprotocol/tasks': {} };
  const _meta = {
    [VERSION]: '2026-07-28',
    [INFO]: CLIENT,
    [CAPABILITIES]: { elicitation: {}, extensions },
  };
  const request = (method: string, params: Message, result: Message, ms?: number): number =>
    tape.request(TO, method, { ...params, _meta }, { resultType: 'complete', ...result }, ms);
  const discovered = { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, extensions } };
  request(
    'server/discover',
    {},
    { ...discovered, serverInfo: SERVER, ttlMs: 0, cacheScope: 'private' },
  );
  for (let turn = 0; tape.lines.length < count; turn += 1) {
    if (turn % 3 !== 1) {
      request('tools/call', { name: 'search', arguments: { turn } }, text('Found'), 30);
      continue;
    }
    const taskId = `job-${String(turn)}`;
    const createdAt = tape.now;
    const task = (status: string): Message => ({
      taskId,
      status,
      createdAt,
      lastUpdatedAt: tape.now,
      ttlMs: 60_000,
    });
    const made = { resultType: 'task', ...task('working') };
    request('tools/call', { name: 'mail', arguments: {} }, made, 10);
    tape.wait(1200);
    const inputRequests = { form: { method: 'elicitation/create', params: FORM } };
    request('tasks/get', { taskId }, { ...task('input_required'), inputRequests });
    const inputResponses = { form: { action: 'accept', content: { email: SECRETS.email } } };
    request('tasks/update', { taskId, inputResponses }, {});
    tape.wait(600);
    const end = turn % 2 === 0 ? 'cancelled' : 'completed';
    const result =
      end === 'completed' ? { result: { resultType: 'complete', ...text('Sent') } } : {};
    request('tasks/get', { taskId }, { ...task(end), ...result });
  }
  return tape.lines.slice(0, count);
}

/** Breaks rules here and there, so that there are findings of each severity. */
export function withFaults(lines: readonly Line[], every = 97): Line[] {
  return lines.map((line, index) => {
    if (index % every !== every - 1) return line;
    const { message } = line;
    const { method, params, result } = message as {
      method?: string;
      params?: Message;
      result?: Message;
    };
    if (method === 'tools/call')
      return { ...line, message: { ...message, params: { ...params, name: 5 } } };
    if (method === undefined && result) {
      return { ...line, message: { ...message, result: { ...result, content: 'none' } } };
    }
    return { ...line, message: { ...message, jsonrpc: '1.0' } };
  });
}

/** One record a line. */
export function jsonl(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
