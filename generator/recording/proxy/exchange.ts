import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { systemFailure } from '../../diagnostics/index.js';
import { quote } from '../../../json-schema/text.js';
import { answerHeaders, requestHeaders } from './headers.js';
import { AnswerBody, RequestBody } from './bodies.js';
import type { SessionNumbers } from './sessions.js';
import type { Watcher } from './watcher.js';
import { write } from './write.js';

const OK = 200;
const ACCEPTED = 202;
const FIRST_REDIRECT = 300;
const BAD_REQUEST = 400;
const TOO_LARGE = 413;
const BAD_GATEWAY = 502;
const JSON_TYPE = { 'content-type': 'application/json' };

export interface ExchangeOptions {
  /** The server's endpoint. */
  readonly target: URL;
  /** Further headers of each request to it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly watcher: Watcher;
  /** Called with one line for each problem. */
  readonly onProblem: (problem: string) => void;
}

/** One request of a client and its answer. */
export class Exchange {
  constructor(
    readonly options: ExchangeOptions,
    readonly sessions: SessionNumbers,
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
  ) {}

  async run(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  async #run(): Promise<void> {
    const { incoming, outgoing, options } = this;
    // Another form would name another server.
    if (incoming.url?.startsWith('/') !== true) return this.#refuse(BAD_REQUEST, '');
    const body = new RequestBody(options.watcher, (message) => this.sessions.of(incoming, message));
    if (options.watcher.holds) return await this.#held(body);
    const upstream = this.#open(body);
    for await (const chunk of chunksOf(incoming)) {
      body.add(chunk);
      await write(upstream, chunk);
    }
    if (!incoming.complete) return void upstream.destroy();
    upstream.end();
    outgoing.on('close', () => upstream.destroy());
    await body.end();
  }

  /** The request waits until its message has been looked at. */
  async #held(body: RequestBody): Promise<void> {
    const { incoming } = this;
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(incoming)) {
      body.add(chunk);
      if (!body.isUnread) chunks.push(chunk);
    }
    if (!incoming.complete) return;
    const ruling = await body.end();
    if (body.isUnread) return this.#refuse(TOO_LARGE, 'The message is too large to be checked.\n');
    if (ruling?.back !== undefined) return this.#answer(JSON.stringify(ruling.back), ruling.status);
    if (ruling && ruling.instead === undefined) return void this.outgoing.writeHead(ACCEPTED).end();
    const upstream = this.#open(body, ruling !== undefined);
    this.outgoing.on('close', () => upstream.destroy());
    upstream.end(ruling ? JSON.stringify(ruling.instead) : Buffer.concat(chunks));
  }

  #open(body: RequestBody, isChanged = false): ClientRequest {
    const { incoming } = this;
    const headers = requestHeaders(incoming, this.options.target, this.options.headers);
    if (isChanged) delete headers['content-length'];
    const upstream = this.#request(incoming.method ?? 'GET', this.#path(), headers);
    upstream.on('response', (answer) => {
      this.#pass(answer, body.session).catch((error: unknown) => this.#fail(error as Error));
    });
    upstream.on('error', (error) => this.#fail(error));
    return upstream;
  }

  #request(method: string, path: string, headers: Record<string, string | string[]>) {
    const { target } = this.options;
    const { protocol, hostname, port } = target;
    const request = protocol === 'https:' ? requestHttps : requestHttp;
    // Brackets belong to the URL of an IPv6 address only.
    const host = hostname.replace(/^\[|\]$/g, '');
    return request({ host, port, method, path, headers });
  }

  /** The endpoint's own query is not part of the address for clients, because it may contain a secret. */
  #path(): string {
    const { url = '/' } = this.incoming;
    const { pathname, search } = this.options.target;
    return url === pathname ? pathname + search : url;
  }

  async #pass(answer: IncomingMessage, session: number): Promise<void> {
    const { incoming, outgoing, options, sessions } = this;
    const reason = options.watcher.holds ? whyUnchecked(answer) : undefined;
    if (reason !== undefined) {
      answer.destroy();
      const problem = `The answer of ${options.target.origin} was refused: ${reason}.`;
      options.onProblem(problem);
      return this.#refuse(BAD_GATEWAY, `${problem}\n`);
    }
    sessions.named(answer, session);
    const isToGet = incoming.method === 'GET';
    const body = new AnswerBody(answer, isToGet, session, options.watcher, (back) =>
      this.#sendBack(back),
    );
    const without = options.watcher.holds && body.hasMessages ? ['content-length'] : [];
    outgoing.writeHead(
      answer.statusCode ?? BAD_GATEWAY,
      answer.statusMessage ?? '',
      answerHeaders(answer, without),
    );
    // The headers of one message go with it.
    if (!body.isOne) outgoing.flushHeaders();
    for await (const chunk of chunksOf(answer)) {
      for await (const bytes of body.add(chunk)) await write(outgoing, bytes);
    }
    for await (const bytes of body.end()) await write(outgoing, bytes);
    if (answer.complete) outgoing.end();
    else outgoing.destroy();
  }

  /** Answers a question of the server in place of the client. */
  #sendBack(message: unknown): void {
    const { target, headers } = this.options;
    const own = requestHeaders(this.incoming, target, headers);
    for (const name of ['content-length', 'last-event-id']) delete own[name];
    const accept = 'application/json, text/event-stream';
    const request = this.#request('POST', target.pathname + target.search, {
      ...own,
      ...JSON_TYPE,
      accept,
    });
    request.on('response', (answer) => answer.resume());
    request.on('error', (error) =>
      this.options.onProblem(`Cannot answer the server: ${error.message}.`),
    );
    request.end(JSON.stringify(message));
  }

  #answer(json: string, status = OK): void {
    this.outgoing.writeHead(status, JSON_TYPE).end(json);
  }

  #refuse(status: number, why: string): void {
    this.outgoing.writeHead(status, { 'content-type': 'text/plain' }).end(why);
  }

  #fail(error: Error): void {
    const { outgoing, options } = this;
    // A client that has disconnected ends its request.
    if (outgoing.destroyed) return;
    const { code } = error as NodeJS.ErrnoException;
    const reason = systemFailure(error)?.reason ?? REASONS[code ?? ''] ?? error.message;
    const problem = `Cannot reach ${options.target.origin}: ${reason}.`;
    options.onProblem(problem);
    if (outgoing.headersSent) outgoing.destroy();
    else this.#refuse(BAD_GATEWAY, `${problem}\n`);
  }
}

/** Why the messages of an answer, or those that it leads to, cannot be looked at. */
function whyUnchecked({ statusCode = OK, headers }: IncomingMessage): string | undefined {
  const { location, 'content-encoding': encoding = 'identity' } = headers;
  if (!/^identity$/i.test(encoding)) return `its content is compressed (${quote(encoding)})`;
  // A relative address leads to this proxy again.
  const leadsAway = location !== undefined && !/^\/(?![/\\])/.test(location);
  return statusCode >= FIRST_REDIRECT && statusCode < BAD_REQUEST && leadsAway
    ? `it redirects to ${quote(location)}, which would not be checked`
    : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'the connection was cut (ECONNRESET)',
  ENOTFOUND: 'there is no host of that name (ENOTFOUND)',
};

/** The chunks of a body until its end, or until the connection is cut. */
async function* chunksOf(body: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
  } catch {
    // `complete` says that it is cut.
  }
}
