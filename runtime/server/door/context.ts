import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';

import type { Incoming } from '../incoming.js';
import type { LazyAbort } from '../lazy-abort.js';
import { ENDINGS } from '../sdk/index.js';
import type { Accepted } from './accepted.js';

/** The functions of the SDK's context that need the SDK: calling one hands the request over. */
export type OfSdk = 'send' | 'notify' | 'log' | 'elicitInput' | 'requestSampling';

/** A request that is being answered, as its handler's context needs it. */
export interface Handled {
  readonly options: { readonly accepted: Accepted; readonly incoming?: Incoming };
  readonly cancelled: LazyAbort;
  readonly gone: LazyAbort;
  callSdk(name: OfSdk, args: readonly unknown[]): Promise<unknown>;
}

/**
 * The SDK's context of a request, without the SDK. Classes, because each accessor in a literal takes Node a
 * microsecond and a hidden class, and few handlers read what the accessors make.
 */
export function contextOf(exchange: Handled): ServerContext {
  return new Context(exchange) as unknown as ServerContext;
}

class Context {
  readonly sessionId: string | undefined;
  readonly mcpReq: Request;
  readonly http: Http | undefined;
  readonly [ENDINGS]: Handled;

  constructor(exchange: Handled) {
    this.sessionId = exchange.options.accepted.sessionId;
    this.mcpReq = new Request(exchange);
    const { incoming } = exchange.options;
    this.http = incoming && new Http(exchange, incoming);
    this[ENDINGS] = exchange;
  }
}

class Http {
  declare readonly authInfo?: AuthInfo;
  readonly closeSSE = undefined;
  readonly closeStandaloneSSE = undefined;
  readonly #incoming: Incoming;

  constructor({ options }: Handled, incoming: Incoming) {
    const { authInfo } = options.accepted;
    if (authInfo !== undefined) this.authInfo = authInfo;
    this.#incoming = incoming;
  }

  get req(): globalThis.Request {
    return this.#incoming.request();
  }
}

type CallSdk = (...args: readonly unknown[]) => Promise<unknown>;

/** A handler may take its functions out of the object. */
class Request {
  readonly id: Accepted['id'];
  readonly method: string;
  readonly _meta: Accepted['meta'];
  declare readonly envelope?: Accepted['envelope'];
  declare readonly inputResponses?: Accepted['inputResponses'];
  readonly requestState = noState;
  readonly #exchange: Handled;

  constructor(exchange: Handled) {
    const { id, method, meta, envelope, inputResponses } = exchange.options.accepted;
    this.id = id;
    this.method = method;
    this._meta = meta;
    if (envelope !== undefined) this.envelope = envelope;
    if (inputResponses !== undefined) this.inputResponses = inputResponses;
    this.#exchange = exchange;
  }

  get signal(): AbortSignal {
    return this.#exchange.cancelled.signal;
  }

  get send(): CallSdk {
    return this.#through('send');
  }

  get notify(): CallSdk {
    return this.#through('notify');
  }

  get log(): CallSdk {
    return this.#through('log');
  }

  get elicitInput(): CallSdk {
    return this.#through('elicitInput');
  }

  get requestSampling(): CallSdk {
    return this.#through('requestSampling');
  }

  #through(name: OfSdk): CallSdk {
    return (...args) => this.#exchange.callSdk(name, args);
  }
}

function noState(): undefined {
  return undefined;
}
