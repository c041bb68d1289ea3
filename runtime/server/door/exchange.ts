import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../tasks/index.js';
import type { Operation } from '../../telemetry/index.js';
import type { Answered, Incoming } from '../incoming.js';
import { connectionClosed, continueWith, resumes, setRequestSignal } from '../sdk/index.js';
import { LazyAbort } from '../lazy-abort.js';

/** A request that the door has accepted. */
export interface Accepted {
  readonly id: string | number;
  readonly method: string;
  /** As handlers get them: without what only the wire needs. */
  readonly params: JsonObject;
  readonly meta: JsonObject | undefined;
  /** What a request of 2026-07-28 says about its client. */
  readonly envelope: JsonObject | undefined;
  readonly sessionId: string | undefined;
  readonly authInfo: AuthInfo | undefined;
}

/** The parts of the SDK's context that need the SDK: reading them hands the request over. */
const OF_SDK = ['send', 'notify', 'log', 'elicitInput', 'requestSampling'] as const;

/**
 * One request that is answered without the SDK, as long as its handler does not use what only the SDK has: then
 * the SDK gets the request, and the answer goes on there.
 */
export class Exchange {
  /** Aborted when the request is cancelled. */
  readonly cancelled = new LazyAbort();
  /** Aborted when the request is cancelled, and when its client has disconnected. */
  readonly gone = new LazyAbort();
  readonly ctx: ServerContext;
  readonly accepted: Accepted;
  readonly incoming: Incoming;
  readonly #operation: Operation;
  readonly #throughSdk: () => Promise<Response>;
  readonly #onEnd: () => void;
  readonly #sending = new Set<Promise<unknown>>();
  readonly #settle: (answered: Answered | Promise<Answered>) => void;
  /** What the client gets. */
  readonly answered: Promise<Answered>;
  #result: Promise<JsonObject> = new Promise(() => undefined);
  #handedOver: Promise<ServerContext> | undefined;

  constructor(
    accepted: Accepted,
    incoming: Incoming,
    operation: Operation,
    throughSdk: () => Promise<Response>,
    onEnd: () => void,
  ) {
    this.accepted = accepted;
    this.incoming = incoming;
    this.#operation = operation;
    this.#throughSdk = throughSdk;
    this.#onEnd = onEnd;
    let settle = (_: Answered | Promise<Answered>): void => undefined;
    this.answered = new Promise((resolve) => (settle = resolve));
    this.#settle = settle;
    this.ctx = contextOf(this);
    setRequestSignal(this.ctx, () => this.gone.signal);
  }

  /** Runs the handler. `reply` makes the answer of its end, unless the SDK does. */
  run(
    handler: (params: JsonObject, ctx: ServerContext) => Promise<JsonObject>,
    reply: (outcome: Outcome) => Answered,
  ): Promise<Answered> {
    this.#result = this.#operation.run(() => handler(this.accepted.params, this.ctx));
    this.#result.then(
      (result) => this.#end({ result }, reply),
      (error: unknown) => this.#end({ error }, reply),
    );
    return this.answered;
  }

  /** Ends the request without an answer of its handler. */
  abandon(answered: Answered): void {
    if (this.#handedOver !== undefined) return;
    const reason = connectionClosed();
    this.cancelled.abort(reason);
    this.gone.abort(reason);
    this.#operation.end('connection_closed');
    this.#settle(answered);
  }

  get isHandedOver(): boolean {
    return this.#handedOver !== undefined;
  }

  /** Calls a function of the SDK's context. The answer waits until it has sent. */
  async callSdk(name: (typeof OF_SDK)[number], args: readonly unknown[]): Promise<unknown> {
    this.#handedOver ??= this.#handOver();
    const sent = this.#handedOver.then((ctx) =>
      (ctx.mcpReq[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
    );
    this.#sending.add(sent);
    try {
      return await sent;
    } finally {
      this.#sending.delete(sent);
    }
  }

  #handOver(): Promise<ServerContext> {
    const request = this.incoming.request();
    resumes(request, this.#operation);
    return new Promise((resolve, reject) => {
      continueWith(request, (ctx) => {
        const { signal } = ctx.mcpReq;
        const abort = (): void => {
          this.cancelled.abort(signal.reason);
          this.gone.abort(signal.reason);
        };
        signal.addEventListener('abort', abort, { once: true });
        resolve(ctx);
        return this.#resultAfterSending();
      });
      const response = this.#throughSdk();
      this.#settle(response);
      // The SDK calls the handler in the turn in which it gets the request, or refuses the request.
      response.then(() => setImmediate(reject, connectionClosed()), reject);
    });
  }

  async #resultAfterSending(): Promise<JsonObject> {
    try {
      return await this.#result;
    } finally {
      await Promise.allSettled(this.#sending);
    }
  }

  #end(outcome: Outcome, reply: (outcome: Outcome) => Answered): void {
    this.#onEnd();
    if (this.#handedOver === undefined) this.#settle(reply(outcome));
  }
}

/** How a handler ended. */
export type Outcome = { readonly result: JsonObject } | { readonly error: unknown };

/** The SDK's context of a request, without the SDK. */
function contextOf(exchange: Exchange): ServerContext {
  const { accepted, incoming } = exchange;
  const { id, method, meta, envelope, authInfo, sessionId } = accepted;
  const calls = Object.fromEntries(
    OF_SDK.map((name) => [name, (...args: readonly unknown[]) => exchange.callSdk(name, args)]),
  );
  const context = {
    sessionId,
    mcpReq: {
      id,
      method,
      _meta: meta,
      ...(envelope && { envelope }),
      requestState: () => undefined,
      get signal() {
        return exchange.cancelled.signal;
      },
      ...calls,
    },
    http: {
      ...(authInfo && { authInfo }),
      get req() {
        return incoming.request();
      },
      closeSSE: undefined,
      closeStandaloneSSE: undefined,
    },
  };
  return context as unknown as ServerContext;
}
