import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import {
  DONE,
  GREETING,
  greetingOf,
  PROMPT,
  QUESTION,
  resourcesOf,
  TIMES,
  TOOL,
} from './offered.js';
import { listening } from './sessions.js';

/** The limit: Node's HTTP server, which parses a request's JSON and sends the answer that the client expects. */
export function startBare(): Promise<string> {
  return listening(createServer(serve));
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: { readonly content: { readonly name: string } };
}

interface Params {
  readonly name?: string;
  readonly uri?: string;
  readonly arguments?: { readonly uri?: string };
  readonly _meta?: { readonly progressToken?: unknown };
  readonly inputResponses?: { readonly name: { readonly content: { readonly name: string } } };
  readonly notifications?: { readonly resourceSubscriptions: readonly string[] };
}

/** Streams of clients that follow items, by the item, and of sessions, by the session. */
const followers = new Map<string, ServerResponse>();
const streams = new Map<string, ServerResponse>();
/** Calls whose client has to answer a question. */
const asking = new Map<unknown, { readonly id: unknown; readonly response: ServerResponse }>();
let sessions = 0;
let questions = 0;

function serve(request: IncomingMessage, response: ServerResponse): void {
  const session = String(request.headers['mcp-session-id']);
  if (request.method === 'GET') {
    streams.set(session, stream(response));
    response.flushHeaders();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'DELETE') return void response.writeHead(200).end();
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
    answer(message, session, response);
  });
}

function answer(message: Message, session: string, response: ServerResponse): void {
  const { id, method, params = {} } = message;
  if (id === undefined) return void response.writeHead(202).end();
  switch (method) {
    case undefined:
      response.writeHead(202).end();
      return finishAsking(id, message.result?.content.name);
    case 'initialize':
      response.setHeader('mcp-session-id', String((sessions += 1)));
      return json(response, id, INITIALIZED);
    case 'resources/read':
      return json(response, id, READ);
    case 'prompts/get':
      return json(response, id, GOT);
    case 'resources/subscribe': {
      const own = streams.get(session);
      if (own !== undefined) followers.set(String(params.uri), own);
      return json(response, id, {});
    }
    case 'resources/unsubscribe':
      followers.delete(String(params.uri));
      return json(response, id, {});
    case 'subscriptions/listen':
      return listen(params.notifications?.resourceSubscriptions ?? [], response);
    default:
      return call(id, params, session, response);
  }
}

function call(id: unknown, params: Params, session: string, response: ServerResponse): void {
  switch (params.name) {
    case TOOL.steps:
      return steps(id, params._meta?.progressToken, response);
    case TOOL.ask:
      return session === 'undefined' ? askAgain(id, params, response) : ask(id, response);
    case TOOL.touch: {
      const uri = String(params.arguments?.uri);
      for (const each of resourcesOf(uri)) {
        const params = { uri: each };
        followers.get(each)?.write(eventOf({ method: 'notifications/resources/updated', params }));
      }
      return json(response, id, DONE);
    }
    default:
      return json(response, id, DONE);
  }
}

function steps(id: unknown, progressToken: unknown, response: ServerResponse): void {
  stream(response);
  for (let progress = 1; progress <= TIMES; progress += 1) {
    const params = { progressToken, progress, total: TIMES };
    response.write(eventOf({ method: 'notifications/progress', params }));
  }
  response.end(eventOf({ id, result: DONE }));
}

function ask(id: unknown, response: ServerResponse): void {
  asking.set((questions += 1), { id, response });
  stream(response).write(
    eventOf({ id: questions, method: 'elicitation/create', params: QUESTION }),
  );
}

function finishAsking(question: unknown, name: unknown): void {
  const asked = asking.get(question);
  asking.delete(question);
  asked?.response.end(eventOf({ id: asked.id, result: greeted(name) }));
}

function askAgain(id: unknown, { inputResponses }: Params, response: ServerResponse): void {
  if (inputResponses !== undefined)
    return json(response, id, greeted(inputResponses.name.content.name));
  const inputRequests = { name: { method: 'elicitation/create', params: QUESTION } };
  json(response, id, { resultType: 'input_required', inputRequests, requestState: 'state' });
}

function listen(uris: readonly string[], response: ServerResponse): void {
  const params = { notifications: { resourceSubscriptions: uris } };
  stream(response).write(eventOf({ method: 'notifications/subscriptions/acknowledged', params }));
  for (const uri of uris) followers.set(uri, response);
  response.on('close', () => {
    for (const uri of uris) if (followers.get(uri) === response) followers.delete(uri);
  });
}

function json(response: ServerResponse, id: unknown, result: object): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id, result });
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

const eventOf = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

const greeted = (name: unknown): object => ({
  content: [{ type: 'text', text: greetingOf(name) }],
});

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {} },
  serverInfo: { name: 'bare', version: '1' },
};
const READ = {
  contents: [{ uri: GREETING.uri, mimeType: GREETING.mimeType, text: GREETING.text }],
};
const GOT = { messages: [{ role: 'user', content: { type: 'text', text: PROMPT.text } }] };
