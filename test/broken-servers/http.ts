import type { Over, Play, Script } from './play.js';
import { LATE, type Way } from './way.js';

/** What only HTTP can do. */

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };
const HTTP = { over: ['json'] as readonly Over[] };
const SSE = { over: ['sse'] as readonly Over[] };

/** Answers with this head and body. */
const answers =
  (status: number, headers: Record<string, string>, body: string | Uint8Array = ''): Play =>
  ({ http }) =>
    void http?.writeHead(status, headers).end(body);

const STATUSES = [
  400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504,
];
const SAID = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message: 'Out of order' },
});
const BODIES: readonly (readonly [string, Record<string, string>, string])[] = [
  ['no body', {}, ''],
  ['a page', { 'content-type': 'text/html' }, '<!doctype html><title>Down</title><h1>Down</h1>'],
  ['an error of JSON-RPC', JSON_TYPE, SAID],
];
const WORDS: Readonly<Record<number, string>> = {
  401: 'unauthori[sz]ed|auth',
  403: 'forbidden',
  404: 'not found|session',
  405: 'not allowed',
  429: 'too many',
  503: 'unavailable',
};

const REFUSALS: readonly Way[] = STATUSES.flatMap((status) =>
  BODIES.map(([name, headers, body]) => ({
    ...HTTP,
    id: `answers ${String(status)} with ${name}`,
    wrong: answers(status, headers, body),
    says: new RegExp(`\\b${String(status)}\\b|Out of order|${WORDS[status] ?? 'no words'}`, 'i'),
  })),
);

const REDIRECT = /redirect|30[1-8]|too many/i;
const REDIRECTS: readonly Way[] = [301, 302, 303, 307, 308].flatMap((status) => [
  {
    ...HTTP,
    id: `redirects with ${String(status)} to another origin`,
    wrong: answers(status, { location: 'http://127.0.0.1:9/mcp' }),
    says: REDIRECT,
  },
  {
    ...HTTP,
    id: `redirects with ${String(status)} to itself`,
    wrong: answers(status, { location: '/mcp' }),
    says: REDIRECT,
  },
  {
    ...HTTP,
    id: `redirects with ${String(status)} to nowhere`,
    wrong: answers(status, {}),
    says: REDIRECT,
  },
]);

const typed =
  (headers: Record<string, string>): Play =>
  ({ http }, { answer }) =>
    void http?.writeHead(200, headers).end(JSON.stringify(answer));

const TYPE = /content.?type|json|events?\b/i;
const TYPES: readonly Way[] = [
  ...['text/html', 'text/plain', 'application/octet-stream', 'json', 'image/png', ''].map(
    (type): Way => ({
      ...HTTP,
      id: `answers with the type "${type}"`,
      wrong: typed({ 'content-type': type }),
      says: TYPE,
    }),
  ),
  { ...HTTP, id: 'answers without a type', wrong: typed({}), says: TYPE },
  {
    ...HTTP,
    id: 'answers with two types',
    wrong: typed({ 'content-type': 'application/json, text/event-stream' }),
    says: TYPE,
  },
  {
    ...HTTP,
    id: 'answers JSON as an event stream',
    wrong: typed(EVENTS),
    says: /stream|without an answer|no answer|json|event/i,
  },
  {
    ...HTTP,
    id: 'answers an event stream as JSON',
    wrong: ({ http }, { answer }) =>
      void http?.writeHead(200, JSON_TYPE).end(`data: ${JSON.stringify(answer)}\n\n`),
    says: /json/i,
  },
  {
    ...HTTP,
    id: 'answers as gzip what is none',
    wrong: typed({ ...JSON_TYPE, 'content-encoding': 'gzip' }),
    says: /gzip|encoding|header check|terminated|decompress|zlib/i,
    orTakes: true,
  },
  {
    ...HTTP,
    id: 'answers with a page of a proxy',
    wrong: answers(200, { 'content-type': 'text/html' }, '<html>Log in to the network</html>'),
    says: TYPE,
  },
  ...[202, 204, 205].map((status): Way => ({
    ...HTTP,
    id: `answers ${String(status)} with nothing`,
    wrong: answers(status, {}),
    says: new RegExp(`\\b${String(status)}\\b|no answer|without an answer|content.?type`, 'i'),
  })),
  {
    ...HTTP,
    id: 'answers 200 with nothing',
    wrong: answers(200, JSON_TYPE),
    says: /json|empty|no answer/i,
  },
];

const BROKEN_OFF =
  /reset|socket|closed|terminated|fetch failed|hang up|aborted|ended|disconnect|lost|premature/i;
const CONNECTIONS: readonly Way[] = [
  {
    ...HTTP,
    id: 'ends the connection before its answer',
    wrong: ({ http }) => void http?.destroy(),
    says: BROKEN_OFF,
  },
  {
    ...HTTP,
    id: 'ends the connection in its answer',
    wrong({ http }, { answer }) {
      http?.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
      http?.write(JSON.stringify(answer), () => http.destroy());
    },
    says: BROKEN_OFF,
  },
  {
    ...HTTP,
    id: 'says that its answer is shorter than it is',
    wrong({ http }, { answer }) {
      if (http) http.strictContentLength = false;
      http?.writeHead(200, { ...JSON_TYPE, 'content-length': '20' }).end(JSON.stringify(answer));
    },
    says: /json/i,
  },
  {
    ...HTTP,
    id: 'answers with what is no HTTP',
    wrong({ http }) {
      http?.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
    },
    says: /parse|http|protocol|fetch failed/i,
  },
  {
    ...HTTP,
    id: 'never ends the head of its answer',
    at: ['tools/call'],
    wrong: ({ http }) => void http?.socket?.write('HTTP/1.1 200 OK\r\ncontent-type: appl'),
    says: LATE,
  },
  {
    ...HTTP,
    id: 'sends a header of 100 KB',
    wrong({ http }, { answer }) {
      http
        ?.writeHead(200, { ...JSON_TYPE, 'x-long': 'x'.repeat(100_000) })
        .end(JSON.stringify(answer));
    },
    says: /header/i,
  },
];

const NO_ANSWER =
  /without an answer|no answer|closed|ended|stream|disconnect|lost|resum|reconnect/i;

/** A stream that breaks off, and what the server says to those who resume it. */
const resumed =
  (resume: Play, head = 'retry: 100\nid: 1\ndata:\n\n') =>
  (): Script => {
    let call: object = {};
    return {
      'tools/call'(line, { answer }) {
        call = answer;
        line.write(head);
        line.end();
      },
      GET(line, exchange) {
        if (exchange.headers['last-event-id'] === undefined)
          return void line.http?.writeHead(405).end();
        resume(line, { ...exchange, answer: call as never });
      },
    };
  };

const STREAM_ENDS: readonly Way[] = [
  { ...SSE, id: 'ends its stream without an event', wrong: (line) => line.end(), says: NO_ANSWER },
  {
    ...SSE,
    id: 'ends its stream in the event of its answer',
    wrong(line, { answer }) {
      line.write(`data: ${JSON.stringify(answer)}`);
      line.end();
    },
    says: NO_ANSWER,
  },
  {
    ...SSE,
    id: 'ends its stream after comments',
    wrong(line) {
      line.write(': a\n\n: b\n\n');
      line.end();
    },
    says: NO_ANSWER,
  },
  {
    ...SSE,
    id: 'answers in an event of another type',
    wrong(line, { answer }) {
      line.write(`event: answer\ndata: ${JSON.stringify(answer)}\n\n`);
      line.end();
    },
    says: NO_ANSWER,
  },
  {
    ...SSE,
    id: 'breaks its stream off',
    wrong(line) {
      line.write(': a\n\n');
      setTimeout(() => line.http?.destroy(), 20);
    },
    says: new RegExp(`${NO_ANSWER.source}|${BROKEN_OFF.source}`, 'i'),
  },
  {
    ...SSE,
    id: 'answers when its stream is resumed',
    script: resumed((line, { answer }) => line.say(answer)),
    says: 'result',
  },
  {
    ...SSE,
    id: 'has an id that is no text of a header',
    script: resumed((line, { answer }) => line.say(answer), 'retry: 100\nid: ä\u0001ö\ndata:\n\n'),
    says: NO_ANSWER,
    orTakes: true,
  },
  ...[400, 404, 405, 410, 500].map((status): Way => ({
    ...SSE,
    id: `answers ${String(status)} to those who resume its stream`,
    script: resumed(answers(status, {}, 'gone')),
    says: new RegExp(`\\b${String(status)}\\b|${NO_ANSWER.source}`, 'i'),
  })),
  {
    ...SSE,
    id: 'ends its stream each time that it is resumed',
    script: resumed((line) => line.end(), 'id: 1\ndata:\n\n'),
    says: NO_ANSWER,
  },
  {
    ...SSE,
    id: 'sends JSON to those who resume its stream',
    script: resumed((line, { answer }) => typed(JSON_TYPE)(line, { answer } as never)),
    says: NO_ANSWER,
    orTakes: true,
  },
  {
    ...SSE,
    id: 'answers another request when its stream is resumed',
    script: resumed((line) => line.say({ jsonrpc: '2.0', id: 999, result: {} })),
    says: NO_ANSWER,
  },
];

const SESSIONS: readonly Way[] = [
  {
    ...HTTP,
    dialects: ['core'],
    id: 'loses its session once',
    script: () => ({
      'tools/call'(line, { answer, times }) {
        if (times === 1) line.http?.writeHead(404).end('Session not found');
        else line.say(answer);
      },
    }),
    says: 'result',
  },
  {
    ...HTTP,
    dialects: ['core'],
    id: 'loses each session',
    script: () => ({ 'tools/call': answers(404, {}, 'Session not found') }),
    says: /404|session/i,
  },
  ...['', ' ', 'a b', 'ä', 'x'.repeat(9_000)].map((id): Way => ({
    ...HTTP,
    dialects: ['core'],
    id: `names the session "${id.slice(0, 3)}" (${String(id.length)})`,
    script: () => ({
      initialize: ({ http }, { answer }) =>
        void http
          ?.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': id })
          .end(JSON.stringify(answer)),
    }),
    says: /session/i,
    orTakes: true,
  })),
  {
    ...HTTP,
    dialects: ['core'],
    id: 'names another session with each answer',
    script: () => ({
      'tools/call': ({ http }, { answer }) =>
        void http
          ?.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': 'other' })
          .end(JSON.stringify(answer)),
    }),
    says: 'result',
  },
  {
    ...HTTP,
    dialects: ['core'],
    id: 'refuses notifications/initialized',
    script: () => ({ 'notifications/initialized': answers(400, {}, 'No such method') }),
    says: /400|No such method/i,
    orTakes: true,
  },
  {
    ...HTTP,
    dialects: ['core'],
    id: 'answers notifications/initialized with 500',
    script: () => ({ 'notifications/initialized': answers(500, {}, 'Trouble') }),
    says: /500|Trouble/i,
    orTakes: true,
  },
  ...[401, 404, 500].map((status): Way => ({
    ...HTTP,
    dialects: ['core'],
    id: `answers ${String(status)} to a GET`,
    script: () => ({ GET: answers(status, {}) }),
    says: 'result',
  })),
  {
    ...HTTP,
    dialects: ['core'],
    id: 'answers a GET with a page',
    script: () => ({ GET: answers(200, { 'content-type': 'text/html' }, '<html>') }),
    says: 'result',
  },
];

/** HTTP+SSE of 2024-11-05. */
const OLD: readonly Way[] = (
  [
    [
      'of another origin',
      'event: endpoint\ndata: http://127.0.0.1:9/messages\n\n',
      /origin|endpoint/i,
    ],
    ['that is no URL', 'event: endpoint\ndata: http://\n\n', /url|endpoint|address|origin/i],
    ['of another scheme', 'event: endpoint\ndata: file:///messages\n\n', /origin|endpoint|scheme/i],
    ['that does not exist', 'event: endpoint\ndata: /nowhere\n\n', /404/],
  ] as const
).map(([name, head, says]) => ({
  over: ['old'],
  id: `names an endpoint ${name}`,
  script: () => ({
    GET: ({ http }) => void http?.writeHead(200, EVENTS).write(head),
    initialize: answers(404, {}),
  }),
  says,
}));

const OLD_STREAMS: readonly Way[] = [
  {
    over: ['old'],
    id: 'names no endpoint',
    script: () => ({ GET: ({ http }) => void http?.writeHead(200, EVENTS).write(': wait\n\n') }),
    says: new RegExp(`did not open|endpoint|${LATE.source}`, 'i'),
  },
  {
    over: ['old'],
    id: 'ends its stream before the endpoint',
    script: () => ({ GET: ({ http }) => void http?.writeHead(200, EVENTS).end() }),
    says: /stream|ended|endpoint|closed/i,
  },
  ...[401, 404, 500].map((status): Way => ({
    over: ['old'],
    id: `answers ${String(status)} in place of its stream`,
    script: () => ({ GET: answers(status, {}) }),
    says: new RegExp(`${String(status)}|405|${WORDS[status] ?? 'no words'}`, 'i'),
  })),
  {
    over: ['old'],
    id: 'sends a page in place of its stream',
    script: () => ({ GET: answers(200, { 'content-type': 'text/html' }, '<html></html>') }),
    says: /content.?type|stream|event/i,
  },
  ...[400, 404, 500].map((status): Way => ({
    over: ['old'],
    id: `answers ${String(status)} to what is posted`,
    wrong: answers(status, {}, 'Out of order'),
    says: new RegExp(`${String(status)}|Out of order`),
  })),
  {
    over: ['old'],
    id: 'ends its stream in place of an answer',
    wrong(line) {
      line.http?.writeHead(202).end();
      line.end();
    },
    says: /stream|ended|closed|terminated|lost/i,
  },
  {
    over: ['old'],
    id: 'answers in the body of what was posted',
    at: ['tools/call'],
    wrong: ({ http }, { answer }) =>
      void http?.writeHead(200, JSON_TYPE).end(JSON.stringify(answer)),
    says: new RegExp(`body|${LATE.source}`, 'i'),
  },
];

export const HTTP_WAYS: readonly Way[] = [
  ...REFUSALS,
  ...REDIRECTS,
  ...TYPES,
  ...CONNECTIONS,
  ...STREAM_ENDS,
  ...SESSIONS,
  ...OLD,
  ...OLD_STREAMS,
];
