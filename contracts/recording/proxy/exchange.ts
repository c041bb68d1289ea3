import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { systemFailure } from '../../../generator/diagnostics/index.js';
import { isEncoded } from '../../../runtime/transport/http/incoming.js';
import { AnswerBody, chunksOf, Gathered } from './bodies.js';
import { answerHeaders, heldHeaders, requestHeaders } from './headers.js';
import { HeldAnswer } from './held-answer.js';
import { messageInBody, writtenAnew } from './message.js';
import type { SessionNumbers } from './sessions.js';
import type { Watcher } from './watcher.js';
import { write } from './write.js';

const OK = 200;
const ACCEPTED = 202;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;
const NOT_ALLOWED = 405;
const TOO_LARGE = 413;
const UNSUPPORTED = 415;
const BAD_GATEWAY = 502;
const JSON_TYPE = { 'content-type': 'application/json' };
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE', 'OPTIONS']);

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
  /** Notes that the request gets no answer. */
  #refused = (): void => undefined;

  constructor(
    readonly options: ExchangeOptions,
    readonly sessions: SessionNumbers,
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
  ) {}

  async run(): Promise<void> {
    try {
      // Another form would name another server.
      if (this.incoming.url?.startsWith('/') !== true) this.#refuse(BAD_REQUEST, '');
      else if (this.options.watcher.holds) await this.#held();
      else await this.#passed();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** The bytes are passed on, and looked at afterwards. */
  async #passed(): Promise<void> {
    const { incoming, outgoing, sessions, options } = this;
    const body = new Gathered();
    let session: number | undefined;
    const upstream = this.#open(
      requestHeaders(incoming, options.target, options.headers),
      (answer) => this.#pass(answer, (session ??= sessions.of(incoming))),
    );
    for await (const chunk of chunksOf(incoming)) {
      body.add(chunk);
      await write(upstream, chunk);
    }
    if (!incoming.complete) return void upstream.destroy();
    upstream.end();
    outgoing.on('close', () => upstream.destroy());
    const read = body.read(messageInBody);
    if (!read) return;
    session = sessions.of(incoming, read.message);
    this.#opened(session, read.message);
    await options.watcher.see({
      from: 'client',
      session,
      headers: headersOf(incoming),
      ...read,
    });
  }

  #opened(session: number, message: unknown): void {
    const { outgoing, sessions, options } = this;
    outgoing.on('close', sessions.opened(session, message));
    this.#refused = () => options.watcher.refused?.(session, message);
  }

  async #pass(answer: IncomingMessage, session: number): Promise<void> {
    const { outgoing, options, sessions } = this;
    sessions.named(answer, session);
    const { statusCode = BAD_GATEWAY, statusMessage = '' } = answer;
    outgoing.writeHead(statusCode, statusMessage, answerHeaders(answer));
    outgoing.flushHeaders();
    const body = new AnswerBody(answer, async (read) => {
      sessions.settled(session, read.message);
      await options.watcher.see({ from: 'server', session, ...read });
    });
    for await (const chunk of chunksOf(answer)) {
      await write(outgoing, chunk);
      await body.add(chunk);
    }
    await body.end();
    if (statusCode >= BAD_REQUEST) this.#refused();
    if (answer.complete) outgoing.end();
    else outgoing.destroy();
  }

  /** The request waits until its message was judged, and is written anew. */
  async #held(): Promise<void> {
    const { incoming, outgoing, sessions, options } = this;
    const { method = 'GET', headers, url = '' } = incoming;
    if (!METHODS.has(method)) return this.#refuse(NOT_ALLOWED, '');
    // Metadata of authorization is no message, and names the server's own address.
    if (url.startsWith('/.well-known/')) return this.#refuse(NOT_FOUND, '');
    if (isEncoded(headers['content-encoding'] ?? null)) return this.#refuse(UNSUPPORTED, '');
    const body = new Gathered();
    for await (const chunk of chunksOf(incoming)) body.add(chunk);
    if (!incoming.complete) return;
    if (method !== 'POST') {
      if (body.size > 0) return this.#refuse(BAD_REQUEST, 'Only a POST has a body.\n');
      return void this.#sendHeld(sessions.of(incoming)).end();
    }
    const read = body.readStrictly();
    if (!read) return this.#refuse(BAD_REQUEST, 'The body is empty.\n');
    const session = sessions.of(incoming, read.fault ? undefined : read.message);
    const passing = { from: 'client', session, headers: headersOf(incoming), ...read } as const;
    const ruling = await options.watcher.see(passing);
    if (ruling?.back !== undefined) {
      const status = read.fault?.kind === 'too-large' ? TOO_LARGE : ruling.status;
      return this.#answer(writtenAnew(passing, ruling.back), status);
    }
    if (ruling && ruling.instead === undefined) return void outgoing.writeHead(ACCEPTED).end();
    const message = ruling?.instead ?? read.message;
    this.#opened(session, message);
    this.#sendHeld(session, message).end(writtenAnew(passing, message));
  }

  /** A request whose message was judged, or that has none. */
  #sendHeld(session: number, message?: unknown): ClientRequest {
    const { incoming, outgoing, options, sessions } = this;
    const passed = requestHeaders(incoming, options.target, options.headers);
    for (const name of ['content-length', 'content-type', 'content-encoding']) delete passed[name];
    const headers = message === undefined ? passed : { ...passed, ...JSON_TYPE };
    const upstream = this.#open(headers, async (answer) => {
      const held = new HeldAnswer({
        answer,
        outgoing,
        isToGet: incoming.method === 'GET',
        asked: message,
        origin: options.target.origin,
        onProblem: options.onProblem,
        refused: this.#refused,
        see: async (read) => {
          sessions.settled(session, read.message);
          const ruling = await options.watcher.see({ from: 'server', session, ...read });
          if (ruling?.back !== undefined) this.#sendBack(ruling.back);
          return ruling;
        },
      });
      sessions.named(answer, session);
      await held.pass(heldHeaders(answer));
    });
    outgoing.on('close', () => upstream.destroy());
    return upstream;
  }

  #open(
    headers: Record<string, string | string[]>,
    onAnswer: (answer: IncomingMessage) => Promise<void>,
  ): ClientRequest {
    const upstream = this.#request(this.incoming.method ?? 'GET', this.#path(), headers);
    upstream.on('response', (answer) => {
      onAnswer(answer).catch((error: unknown) => this.#fail(error as Error));
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
    this.#refused();
    if (outgoing.headersSent) outgoing.destroy();
    else this.#refuse(BAD_GATEWAY, `${problem}\n`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'the connection was cut (ECONNRESET)',
  ENOTFOUND: 'there is no host of that name (ENOTFOUND)',
};

/** As a server of the runtime gets them. */
function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}
