import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { APP } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';

/** A message of a recording, tagged with its sender. */
export interface Line {
  readonly direction: 'client' | 'server';
  readonly message: Message;
}

export type Message = Record<string, unknown>;
export type Kind = 'stdio' | 'http';

export function transportTo(kind: Kind, url: string): Transport {
  if (kind === 'stdio') return new StdioClientTransport({ ...APP, args: [...APP.args, 'stdio'] });
  const headers = { authorization: `Bearer ${tokenOf('ann')}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

/** Stands between a client and its transport, and writes down what passes. */
export function recorded(transport: Transport, lines: Line[]): Transport {
  const note = (direction: Line['direction'], message: JSONRPCMessage): void => {
    lines.push({ direction, message: JSON.parse(JSON.stringify(message)) as Message });
  };
  return new Proxy(transport, {
    get(target, key) {
      if (key === 'send') {
        return (message: JSONRPCMessage, options?: object) => {
          note('client', message);
          return target.send(message, options);
        };
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set(target, key, value) {
      const receive = value as Transport['onmessage'];
      const wrapped: Transport['onmessage'] = (message, extra) => {
        note('server', message);
        receive?.(message, extra);
      };
      return Reflect.set(target, key, key === 'onmessage' ? wrapped : value, target);
    },
  });
}

/** A client by hand: it sends what it is told to, and answers what it is asked. */
export class Driver {
  readonly lines: Line[] = [];
  #transport: Transport;
  #waiting = new Map<unknown, (answer: Message) => void>();
  #awaited: { readonly holds: (message: Message) => boolean; readonly done: () => void }[] = [];
  #nextId = 1;

  constructor(
    transport: Transport,
    readonly meta: Message | undefined,
    readonly respond: (request: Message) => Message | undefined = () => undefined,
  ) {
    this.#transport = recorded(transport, this.lines);
  }

  async start(): Promise<void> {
    this.#transport.onmessage = (received) => {
      const message = received as unknown as Message;
      if (message['method'] === undefined) this.#waiting.get(message['id'])?.(message);
      else if (message['id'] !== undefined) this.#reply(message);
      for (const { holds, done } of this.#awaited) if (holds(message)) done();
    };
    await this.#transport.start();
  }

  /** Resolves with the whole answer. */
  async request(method: string, params: Message = {}): Promise<Message> {
    const { id, answer } = this.open(method, params);
    void id;
    return answer;
  }

  open(method: string, params: Message = {}): { id: number; answer: Promise<Message> } {
    const id = this.#nextId;
    this.#nextId += 1;
    const own = params['_meta'] as Message | undefined;
    const _meta = { ...this.meta, ...own };
    const filled = Object.keys(_meta).length > 0 ? { ...params, _meta } : params;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    void this.#send({ jsonrpc: '2.0', id, method, params: filled });
    return { id, answer };
  }

  async notify(method: string, params?: Message): Promise<void> {
    await this.#send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Resolves when the server sends such a request or notification. */
  async heard(holds: (message: Message) => boolean): Promise<void> {
    const isThere = this.lines.some(
      ({ direction, message }) => direction === 'server' && holds(message),
    );
    if (!isThere) await new Promise<void>((done) => this.#awaited.push({ holds, done }));
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #reply(request: Message): void {
    const result = this.respond(request);
    if (result) void this.#send({ jsonrpc: '2.0', id: request['id'], result });
  }

  async #send(message: Message): Promise<void> {
    await this.#transport.send(message as unknown as JSONRPCMessage).catch(() => undefined);
  }
}
