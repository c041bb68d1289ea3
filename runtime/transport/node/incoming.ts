import type { IncomingMessage } from 'node:http';

import type { LazyAbort } from '../../peer/index.js';
import { type Incoming, requestWith, type Unread } from '../http/incoming.js';
import type { Receiving } from '../http/receiving.js';
import { bodyOf } from './body.js';
import { pathOf, targetOf, urlOf } from './target.js';

/** A request of Node's HTTP server. */
export class NodeIncoming implements Incoming {
  readonly method: string;
  readonly path: string;
  readonly gone: LazyAbort;
  readonly original: IncomingMessage;
  /** Whether the rest of the body is not read, so that the connection cannot be used again. */
  isUnread = false;
  readonly #parsed: unknown;
  readonly #receiving: Receiving;
  #body: Promise<Uint8Array | Unread> | undefined;

  /** `parsed` is the value of a body that a framework has read. */
  constructor(original: IncomingMessage, parsed: unknown, gone: LazyAbort, receiving: Receiving) {
    this.original = original;
    this.method = original.method ?? 'GET';
    this.path = pathOf(targetOf(original), original.headers.host ?? '');
    this.gone = gone;
    this.#parsed = parsed;
    this.#receiving = receiving;
  }

  header(name: string): string | null {
    const value = this.original.headers[name];
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  }

  headerNames(): Iterable<string> {
    return Object.keys(this.original.headers);
  }

  read(maxBytes: number): Promise<Uint8Array | Unread> {
    return (this.#body ??= Promise.resolve(
      bodyOf(this.original, this.#parsed, maxBytes, this.#receiving, (reason) => {
        this.isUnread = true;
        return reason;
      }),
    ));
  }

  head(): Request {
    const { method = 'GET', headers: given } = this.original;
    const headers = new Headers();
    for (const [name, value = ''] of Object.entries(given)) {
      for (const each of [value].flat()) headers.append(name, each);
    }
    const url = urlOf(targetOf(this.original), given.host ?? '');
    return new Request(url, { method, headers, signal: this.gone.signal });
  }

  async request(maxBytes: number): Promise<Request> {
    return requestWith(this.head(), await this.read(maxBytes));
  }
}
