import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Over, Play, Script } from './play.js';
import { LATE, type Way } from './way.js';

/** What comes before the answer, after it, or in place of it, on a pipe or a stream. */

const STREAMS: readonly Over[] = ['stdio', 'sse', 'old'];
const AT = ['tools/list', 'tools/call'] as const;

const first =
  (...messages: readonly unknown[]): Play =>
  (line, { answer }) =>
    line.say(...messages, answer);

const note = (method: unknown, params?: unknown): JsonObject => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
});

const PROGRESS = 'notifications/progress';
const LOG = 'notifications/message';

/** What a client leaves out, because the answer comes all the same. */
const LEFT_OUT: readonly (readonly [string, unknown])[] = [
  ['a notification whose method is a number', note(7)],
  ['a notification without a version', { method: LOG, params: { level: 'info', data: 1 } }],
  ['a notification whose params are a list', note(LOG, [1])],
  ['a notification whose params are null', note(LOG, null)],
  ['a notification of an unknown method', note('notifications/surprise', { a: 1 })],
  ['progress of an unknown token', note(PROGRESS, { progressToken: 'none', progress: 1 })],
  ['progress without a token', note(PROGRESS, { progress: 1 })],
  ['progress that is a text', note(PROGRESS, { progressToken: 1, progress: 'half' })],
  ['a log message without a level', note(LOG, { data: 'x' })],
  ['a log message of an unknown level', note(LOG, { level: 'loud', data: 'x' })],
  ['a change of tools that it did not declare', note('notifications/tools/list_changed')],
  ['the cancellation of an unknown request', note('notifications/cancelled', { requestId: 999 })],
  ['the status of an unknown task', note('notifications/tasks/status', { taskId: 'none' })],
  ['an answer that no request has asked for', { jsonrpc: '2.0', id: 999, result: {} }],
  ['null', 'null'],
  ['a list', '[1]'],
  ['an object that is no message', '{"level":"info"}'],
  ['text', 'Listening'],
  ['blanks', '  '],
  ['broken JSON', '{"a":'],
];

const BEFORE: readonly Way[] = LEFT_OUT.map(([name, message]) => ({
  id: `sends ${name} before its answer`,
  over: STREAMS,
  at: AT,
  wrong: first(message),
  says: 'result',
}));

/** An error without an id is about the only request, or about none. */
const WITHOUT_ID: readonly Way[] = [{}, { id: null }].map((id) => ({
  id: `sends an error with ${'id' in id ? 'the id null' : 'no id'} before its answer`,
  over: STREAMS,
  at: AT,
  wrong: first({ jsonrpc: '2.0', ...id, error: { code: -32603, message: 'Out of order' } }),
  says: /Out of order/,
  orTakes: true,
}));

const REQUESTS: readonly (readonly [string, JsonObject])[] = [
  ['roots/list', {}],
  ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  ['elicitation/create', { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }],
  ['tools/call', { name: 'work' }],
  ['surprise/me', {}],
  ['ping', {}],
];

/** Asks the client, and answers when it has answered. */
const asking = (id: unknown, method: string, params: unknown) => (): Script => {
  let ready: (() => void) | undefined;
  return {
    'tools/call'(line, { answer }) {
      ready = () => line.say(answer);
      line.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
    },
    ''(line, { request: reply }) {
      line.http?.writeHead(202).end();
      if (reply.id === id) ready?.();
    },
  };
};

const ASKS: readonly Way[] = REQUESTS.flatMap(([method, params]) => [
  {
    id: `asks with ${method}, which the client does not offer`,
    over: STREAMS,
    dialects: ['core'],
    script: asking('ask', method, params),
    says: 'result',
  },
  {
    id: `asks with ${method} and params that are no object`,
    over: STREAMS,
    dialects: ['core'],
    script: asking('ask', method, [1]),
    says: 'result',
  },
]);

const TWICE: readonly Way[] = [
  {
    id: 'answers twice',
    over: STREAMS,
    at: AT,
    wrong: (line, { answer }) => line.say(answer, answer),
    says: 'result',
  },
  {
    id: 'answers, then refuses',
    over: STREAMS,
    at: AT,
    wrong: (line, { answer }) =>
      line.say(answer, {
        jsonrpc: '2.0',
        id: answer['id'],
        error: { code: -32603, message: 'No' },
      }),
    says: 'result',
  },
  {
    id: 'sends a request with the id of the open one before its answer',
    over: STREAMS,
    dialects: ['core'],
    at: AT,
    wrong: (line, { answer }) =>
      line.say({ jsonrpc: '2.0', id: answer['id'], method: 'ping' }, answer),
    says: 'result',
  },
  {
    id: 'never answers',
    over: ['stdio', 'json', 'sse', 'old'],
    at: ['tools/call'],
    wrong({ http }) {
      if (http?.req.url === '/messages') http.writeHead(202).end();
    },
    says: LATE,
  },
  {
    id: 'answers a byte at a time',
    wrong(line, { answer, request }) {
      const text = JSON.stringify(answer);
      const { http } = line;
      const framed = line.pipe ? `${text}\n` : http?.req.url === '/mcp' ? text : undefined;
      if (framed === undefined || request.method !== 'tools/call') return line.say(answer);
      let at = 0;
      const next = (): void => {
        line.write(framed[at] ?? '');
        at += 1;
        if (at < framed.length) setImmediate(next);
        else if (line.pipe === undefined) line.end();
      };
      next();
    },
    over: ['stdio', 'json'],
    at: ['tools/call'],
    says: 'result',
  },
  {
    id: 'sends nothing but log messages',
    over: STREAMS,
    at: ['tools/call'],
    dialects: ['core'],
    wrong(line) {
      for (let each = 0; each < 10; each += 1) line.send(note(LOG, { level: 'info', data: each }));
    },
    says: LATE,
  },
  {
    id: 'sends comments and events of other types before its answer',
    over: ['sse', 'old'],
    at: AT,
    wrong(line, { answer }) {
      line.write(
        ': comment\n\nevent: surprise\ndata: {"jsonrpc":"2.0"}\n\ndata\n\nretry: never\n\n',
      );
      line.say(answer);
    },
    says: 'result',
  },
];

export const STREAM_WAYS: readonly Way[] = [...BEFORE, ...WITHOUT_ID, ...ASKS, ...TWICE];
