import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ERROR_CODES } from '../../../runtime/protocol.js';
import { eventReader } from '../../../runtime/transport/reading/events.js';
import { quote } from '../../../json-schema/text.js';
import { chunksOf, Gathered } from './bodies.js';
import type { Read } from './bodies.js';
import { leadsAway } from './headers.js';
import { messageIn, tooLong, writtenAnew } from './message.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Ruling } from './watcher.js';
import { write } from './write.js';

const FIRST_REDIRECT = 300;
const BAD_REQUEST = 400;
const BAD_GATEWAY = 502;
/** Keeps a stream open. */
const COMMENT = ':\n\n';

export interface HeldAnswerOptions {
  readonly answer: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly isToGet: boolean;
  /** The message that it answers. */
  readonly asked: unknown;
  readonly origin: string;
  readonly onProblem: (problem: string) => void;
  /** Called before the answer ends with a status that ends its request. */
  readonly refused: () => void;
  /** Judges what the server sent. */
  readonly see: (read: Read) => Promise<Ruling | undefined>;
}

/** The answer of a server of which only judged messages are passed on, in a framing and with headers of its own. */
export class HeldAnswer {
  readonly #options: HeldAnswerOptions;

  constructor(options: HeldAnswerOptions) {
    this.#options = options;
  }

  async pass(headers: OutgoingHttpHeaders): Promise<void> {
    const { answer, outgoing } = this.#options;
    const reason = whyUnread(answer);
    if (reason !== undefined) {
      answer.destroy();
      return this.#refuse(reason);
    }
    const type = typeOf(answer);
    const { statusCode = BAD_GATEWAY } = answer;
    if (type === EVENTS && statusCode < FIRST_REDIRECT) await this.#passEvents(headers);
    else await this.#passOne(headers, statusCode, type === JSON_TYPE);
    if (outgoing.statusCode >= BAD_REQUEST) this.#options.refused();
    if (answer.complete) outgoing.end();
    else outgoing.destroy();
  }

  #refuse(reason: string): void {
    const { origin, outgoing, onProblem, refused } = this.#options;
    refused();
    const problem = `The answer of ${origin} was refused: ${reason}.`;
    onProblem(problem);
    this.#write(BAD_GATEWAY, {}, ...this.#endOf(problem));
    outgoing.end();
  }

  /** An error for the request that waits for an answer, or a text. */
  #endOf(problem: string): readonly [type: string, body: string] {
    const { asked } = this.#options;
    const { id, method } = (asked ?? {}) as { readonly id?: unknown; readonly method?: unknown };
    if (id === undefined || method === undefined) return ['text/plain', `${problem}\n`];
    const error = { code: ERROR_CODES.InternalError, message: `mcp-codegen guard: ${problem}` };
    return [JSON_TYPE, JSON.stringify({ jsonrpc: '2.0', id, error })];
  }

  async #passOne(headers: OutgoingHttpHeaders, status: number, isJson: boolean): Promise<void> {
    const { answer, outgoing, onProblem, origin } = this.#options;
    const body = new Gathered();
    for await (const chunk of chunksOf(answer)) body.add(chunk);
    if (!answer.complete) return;
    const read = body.readStrictly();
    if (!read) return void outgoing.writeHead(status, headers);
    if (!isJson) {
      const type = quote(answer.headers['content-type'] ?? '');
      if (status < FIRST_REDIRECT && status !== ACCEPTED) {
        return this.#refuse(`its content type ${type} is neither that of JSON nor of events`);
      }
      onProblem(`An answer of ${origin} was passed on without its content (${type}).`);
      return void outgoing.writeHead(status, headers);
    }
    const ruling = await this.#options.see(read);
    const message = ruling ? ruling.instead : read.message;
    if (message !== undefined) this.#write(status, headers, JSON_TYPE, writtenAnew(read, message));
    else if (status >= BAD_REQUEST) outgoing.writeHead(status, headers);
    else this.#write(status, headers, ...this.#endOf('The answer of the server was refused.'));
  }

  #write(status: number, headers: OutgoingHttpHeaders, type: string, body: string): void {
    const { outgoing } = this.#options;
    const length = { 'content-length': Buffer.byteLength(body) };
    outgoing.writeHead(status, { ...headers, 'content-type': type, ...length });
    outgoing.write(body);
  }

  async #passEvents(headers: OutgoingHttpHeaders): Promise<void> {
    const { answer, outgoing } = this.#options;
    outgoing.writeHead(answer.statusCode ?? BAD_GATEWAY, { ...headers, 'content-type': EVENTS });
    outgoing.flushHeaders();
    const parts: Part[] = [];
    const take = this.#reader(parts);
    for await (const chunk of chunksOf(answer)) {
      take(chunk);
      if (parts.length === 0) await write(outgoing, COMMENT);
      for (const { text, read } of parts.splice(0)) {
        await write(outgoing, `${text}${read ? await this.#dataOf(read) : ''}\n\n`);
      }
    }
  }

  #reader(parts: Part[]): (chunk: Uint8Array) => void {
    const { onProblem, origin } = this.#options;
    let id = '';
    const add = (text: string, read?: Read): void => {
      parts.push({ text: id + text, read });
      id = '';
    };
    return eventReader(LONGEST_MESSAGE, {
      id: (given) => (id = IS_ID.test(given) ? `id: ${given}\n` : ''),
      retry: (ms) => void parts.push({ text: `retry: ${String(ms)}` }),
      tooLong: (begun) => add('data:', tooLong(begun)),
      event: ({ type, data }) => {
        const text = new TextDecoder().decode(data).trim();
        // An empty event tells a client where to go on.
        if (text === '' || type === 'message') return add('data:', messageIn(data, true));
        if (type === 'endpoint' && !leadsAway(text)) return add(`event: endpoint\ndata: ${text}`);
        const why =
          type === 'endpoint'
            ? `it leads to ${quote(text)}, which would not be checked`
            : `its type is ${quote(type)}`;
        onProblem(`An event of ${origin} was refused: ${why}.`);
      },
    });
  }

  /** Empty for a message that is refused: its event stays, because the id tells the client where to go on. */
  async #dataOf(read: Read): Promise<string> {
    const ruling = await this.#options.see(read);
    const message = ruling ? ruling.instead : read.message;
    return message === undefined ? '' : ` ${writtenAnew(read, message)}`;
  }
}

/** An event without its message. */
interface Part {
  readonly text: string;
  readonly read?: Read | undefined;
}

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';
const ACCEPTED = 202;
/** Without characters at which a line may end. */
const IS_ID = /^[\u0020-\u007e]{1,1000}$/;

/** One of both types, whatever its parameters; undefined for another, and for several. */
function typeOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [header = '', ...others] = headersDistinct['content-type'] ?? [];
  const [type = '', ...parameters] = header.split(';');
  if (others.length > 0 || parameters.some((each) => each.includes(','))) return undefined;
  return [JSON_TYPE, EVENTS].find((known) => known === type.trim().toLowerCase());
}

/** Why the messages of an answer, or those that it leads to, cannot be looked at. */
function whyUnread(answer: IncomingMessage): string | undefined {
  const { statusCode = BAD_GATEWAY, headers } = answer;
  const { location, 'content-encoding': encoding = 'identity' } = headers;
  if (!/^identity$/i.test(encoding)) return `its content is compressed (${quote(encoding)})`;
  return statusCode >= FIRST_REDIRECT &&
    statusCode < BAD_REQUEST &&
    location !== undefined &&
    leadsAway(location)
    ? `it redirects to ${quote(location)}, which would not be checked`
    : undefined;
}
