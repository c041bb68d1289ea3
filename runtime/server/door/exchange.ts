import type { ServerContext } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../tasks/index.js';
import type { Operation } from '../../telemetry/index.js';
import type { Incoming } from '../incoming.js';
import { connectionClosed } from '../sdk/index.js';
import { LazyAbort } from '../lazy-abort.js';
import type { Accepted } from './accepted.js';
import { contextOf, type OfSdk } from './context.js';
import type { Outlet } from './outlets.js';
import type { Outcome, Written } from './replies.js';

/** Those whose messages come before the answer. */
const BEFORE_ANSWER: ReadonlySet<string> = new Set(['notify', 'log']);

export interface ExchangeOptions {
  readonly accepted: Accepted;
  /** The HTTP request, where there is one. */
  readonly incoming?: Incoming;
  readonly operation: Operation;
  readonly outlet: Outlet;
  /** Gives the request to the SDK, for a handler that turns out to need the SDK. */
  readonly handOver: HandOver;
  /** The answer as text. Ends the operation. */
  readonly write: (outcome: Outcome) => Written;
  /** Called once, when the handler has ended. */
  readonly onEnd: () => void;
}

/**
 * The SDK goes on with the operation, and its handler with the continuation. Resolves when the SDK has either
 * called the handler or refused the request.
 */
export type HandOver = (
  continuation: (ctx: ServerContext) => Promise<JsonObject>,
  operation: Operation,
) => Promise<unknown>;

/**
 * One request that is answered without the SDK, as long as its handler does not use what only the SDK has: then
 * the SDK gets the request, and the answer goes on there.
 */
export class Exchange {
  /** Aborted when the request is cancelled. */
  readonly cancelled = new LazyAbort();
  /** Aborted when the request is cancelled, and when its client has disconnected. */
  readonly gone = new LazyAbort();
  readonly options: ExchangeOptions;
  readonly #sending = new Set<Promise<unknown>>();
  #result: Promise<JsonObject> = new Promise(() => undefined);
  #handedOver: Promise<ServerContext> | undefined;
  #muted = false;

  constructor(options: ExchangeOptions) {
    this.options = options;
  }

  run(handler: (params: JsonObject, ctx: ServerContext) => Promise<JsonObject>): void {
    const { accepted, operation } = this.options;
    const ctx = contextOf(this);
    this.#result = operation.run(() => handler(accepted.params, ctx));
    this.#result.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** The connection has closed: the handler is told, and its answer not sent. */
  abandon(): void {
    if (this.#handedOver !== undefined) return;
    const reason = connectionClosed();
    this.cancelled.abort(reason);
    this.gone.abort(reason);
    this.options.operation.end('connection_closed');
    this.options.outlet.abandon();
  }

  /** The client of a session has disconnected, which does not cancel the request. */
  leave(): void {
    // Also after handing over, because the SDK does not abort the request either.
    this.gone.abort(undefined);
    if (this.#handedOver === undefined) this.options.outlet.abandon();
  }

  /** The client of a session has cancelled the request, and gets no answer. */
  cancel(reason: unknown): void {
    if (this.#handedOver !== undefined) return;
    this.#muted = true;
    this.options.operation.end('cancelled');
    this.options.outlet.cancel();
    this.cancelled.abort(reason);
    this.gone.abort(reason);
  }

  /** Calls a function of the SDK's context. */
  async callSdk(name: OfSdk, args: readonly unknown[]): Promise<unknown> {
    this.#handedOver ??= this.#handOver();
    const sent = this.#handedOver.then((ctx) =>
      (ctx.mcpReq[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
    );
    if (!BEFORE_ANSWER.has(name)) return sent;
    this.#sending.add(sent);
    try {
      return await sent;
    } finally {
      this.#sending.delete(sent);
    }
  }

  #handOver(): Promise<ServerContext> {
    const { operation, handOver } = this.options;
    return new Promise((resolve, reject) => {
      const goOn = (ctx: ServerContext): Promise<JsonObject> => {
        const { signal } = ctx.mcpReq;
        const abort = (): void => {
          this.cancelled.abort(signal.reason);
          this.gone.abort(signal.reason);
        };
        signal.addEventListener('abort', abort, { once: true });
        resolve(ctx);
        return this.#resultAfterSending();
      };
      handOver(goOn, operation).then(() => setImmediate(reject, connectionClosed()), reject);
    });
  }

  async #resultAfterSending(): Promise<JsonObject> {
    try {
      return await this.#result;
    } finally {
      await Promise.allSettled(this.#sending);
    }
  }

  #end(outcome: Outcome): void {
    const { onEnd, outlet, write } = this.options;
    onEnd();
    if (this.#handedOver !== undefined || this.#muted) return;
    outlet.end(write(outcome));
  }
}
