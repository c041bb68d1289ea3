import { META_KEYS, REVISIONS, type RevisionVersion } from '../protocol.js';
import { deferred, type Dialect, type JsonObject } from '../tasks/index.js';
import { at, isObject, member } from '../peer/wire/json.js';
import type { Revision } from '../peer/wire/revision.js';
import { capabilitiesIn, type DeclaredCapabilities } from './capabilities.js';
import { Entries, isList } from './entries.js';
import { asCallError, callError, Closed } from './errors.js';
import type { Answered, Sent } from './requests.js';
import { initializedOf, type Session } from './session.js';
import type { ClientLimits } from './limits.js';
import { type Negotiated, negotiate } from './negotiation.js';
import { createPollLimiter, type PollLimiter } from './pacing.js';
import { revisionOf } from './revisions.js';
import { within } from './stop.js';
import type { LogLevel } from './types.js';
import { type ClientTransport, kindOf, statusOf } from './transport.js';
import { Wire, type WireAsk, type WireParts } from './wire.js';

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

export interface LinkParts extends WireParts {
  readonly info: ClientInfo;
  readonly capabilities: DeclaredCapabilities;
  readonly versions: readonly RevisionVersion[];
  readonly limits: ClientLimits;
  /** Called when a session has taken the place of one that the server had ended: nothing of that is left. */
  readonly onRenewed: () => void;
  /** Gets one sentence when a slow server is the only reason for an earlier revision. */
  readonly onSlow: (message: string) => void;
}

export interface OpenOptions {
  readonly session?: Session | undefined;
  /** Milliseconds for opening the transport, and for each message of the handshake. */
  readonly timeout?: number | undefined;
  /** What has to be ready before the server's first request. */
  readonly prepare?: () => Promise<void>;
}

/** A connection that is being opened. */
interface Opening {
  /** Aborted by `close`. */
  readonly stop: AbortController;
  /** Resolves when it is open or has failed. */
  readonly ended: Promise<void>;
}

/** Milliseconds for each message of the handshake, in which a server may start. */
const HANDSHAKE = 60_000;
/** Milliseconds for the request that ends a session. */
const END_OF_SESSION = 2_000;

/** The current connection of a client: its revision, its server, its requests. */
export class Link {
  readonly limits: ClientLimits;
  readonly pollLimiter: PollLimiter;
  readonly entries: Entries;
  /** The level of log messages, which each request names in revisions without sessions. */
  logLevel: LogLevel | undefined;
  readonly #parts: LinkParts;
  readonly #capabilities: JsonObject;
  #transport: ClientTransport | undefined;
  #current: Negotiated | undefined;
  #opening: Opening | undefined;
  /** A session that is being opened in place of one that the server has ended. */
  #renewing: Promise<void> | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.limits = parts.limits;
    this.#capabilities = capabilitiesIn('ext', parts.capabilities);
    this.pollLimiter = createPollLimiter(parts.limits);
    this.entries = new Entries(parts.onProblem);
  }

  /** Opens a connection, which becomes the current one. Rejects with a `CallError`. */
  async open(transport: ClientTransport, options: OpenOptions = {}): Promise<void> {
    if (this.isOpen || this.#opening !== undefined) {
      const state = this.isOpen ? 'connected' : 'connecting';
      throw callError('lost', `The client is ${state}: call close() before it connects again`);
    }
    const stop = new AbortController();
    const ended = deferred<undefined>();
    this.#opening = { stop, ended: ended.promise };
    try {
      await this.#open(transport, options, stop.signal);
    } catch (error) {
      throw asCallError(error);
    } finally {
      this.#opening = undefined;
      ended.resolve(undefined);
    }
  }

  async #open(
    transport: ClientTransport,
    { session, timeout = HANDSHAKE, prepare }: OpenOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { versions, onSlow } = this.#parts;
    let wire: Wire | undefined;
    const open = async (version: RevisionVersion): Promise<Wire> => {
      signal.throwIfAborted();
      const { onClosed, ...rest } = this.#parts;
      const next = new Wire(transport, revisionOf(version), {
        ...rest,
        // A server that ends itself at the first request gets another one.
        onClosed: (problem) => this.#current?.wire === next && onClosed(problem),
      });
      wire = next;
      const started = next.start();
      // The transport may open after `close` or the timeout has ended it.
      const close = (): Promise<void> => next.close();
      await within(timeout, started, 'The transport did not open').catch((error: unknown) => {
        started.then(close).catch(() => undefined);
        throw error;
      });
      if (signal.aborted) await close();
      signal.throwIfAborted();
      return next;
    };
    const negotiated = (): Promise<Negotiated> => {
      this.#transport = transport;
      return negotiate({
        transport,
        versions,
        timeout,
        onSlow,
        session,
        open,
        opening: (protocolVersion) => ({
          protocolVersion,
          capabilities: capabilitiesIn('core', this.#parts.capabilities),
          clientInfo: this.#parts.info,
        }),
        enveloped: (params, version) => this.#enveloped(params, version),
      });
    };
    await prepare?.();
    signal.throwIfAborted();
    try {
      const current = await Promise.race([negotiated(), aborted(signal)]);
      signal.throwIfAborted();
      this.#current = current;
    } catch (error) {
      await wire?.close().catch(() => undefined);
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#current?.wire.isClosed === false;
  }

  get revision(): Revision | undefined {
    return this.#current?.wire.revision;
  }

  get version(): RevisionVersion | undefined {
    return this.#current?.version;
  }

  get dialect(): Dialect {
    return this.revision?.dialect ?? 'core';
  }

  /** Whether the transport repeats parts of requests in headers. */
  get hasHeaders(): boolean {
    return this.dialect === 'ext' && this.#transport?.hasPerRequestStream === true;
  }

  /** The server's result of `initialize` or `server/discover`. */
  get server(): JsonObject {
    return this.#current?.server ?? {};
  }

  get session(): Session | undefined {
    const id = this.#transport?.sessionId;
    if (id === undefined || this.#current === undefined || this.dialect === 'ext') return undefined;
    return { id, initialized: initializedOf(this.server) };
  }

  /** A server that does not answer ends the session by itself. */
  async endSession(): Promise<void> {
    const ended = this.#transport?.terminateSession?.().catch(() => undefined);
    await within(END_OF_SESSION, ended ?? Promise.resolve(), '').catch(() => undefined);
  }

  /** Whether the server declares the capability at this path. */
  declares(...path: readonly string[]): boolean {
    return isObject(at(this.server, ['capabilities', ...path]));
  }

  /** Whether the revision has a method, and the server declares what it needs. */
  serves(method: string): boolean {
    const needed = this.revision?.requests[method]?.capabilities;
    return needed?.every(({ path }) => this.declares(...path)) === true;
  }

  /** Rejects with a `CallError`. The default timeout is `requestTimeout`. */
  async request<M extends string, O extends WireAsk = WireAsk>(
    method: M,
    params: Sent<M>,
    options?: O,
  ): Promise<Answered<M, O>> {
    const { requestTimeout } = this.limits;
    return this.ask(method, params, { timeout: requestTimeout, ...options } as O);
  }

  /** The same, without a timeout. */
  async ask<M extends string, O extends WireAsk>(
    method: M,
    params: Sent<M>,
    options: O,
  ): Promise<Answered<M, O>> {
    // A request in a session that is being opened comes too early. Whether it opens, the request will show.
    await this.#renewing?.catch(() => undefined);
    const session = this.#transport?.sessionId;
    const send = async (): Promise<JsonObject> => {
      const { wire, version } = this.#connected();
      const given = this.#enveloped(params, version);
      if (options.checksItself === true || !isList(method)) return wire.ask(method, given, options);
      const page = await wire.ask(method, given, { ...options, checksItself: true });
      return this.entries.read(method, page, wire.revision, given['cursor'] === undefined);
    };
    try {
      const answer: unknown = await send().catch(async (error: unknown) => {
        if (session === undefined || !this.#endedSession(error)) throw error;
        await this.#renewed(session);
        return send();
      });
      // The wire, or the caller, checks it by the method.
      return answer as Answered<M, O>;
    } catch (error) {
      throw asCallError(error);
    }
  }

  /** Whether a request failed because the server does not know its session. So it was not processed. */
  #endedSession(error: unknown): boolean {
    const isHttp = this.#transport !== undefined && kindOf(this.#transport) === 'http';
    return isHttp && statusOf(error) === 404 && this.#current?.renew !== undefined;
  }

  /** Resolves when another session has taken the place of `ended`: one for all requests that met its end. */
  async #renewed(ended: string): Promise<void> {
    if (this.#renewing === undefined && this.#transport?.sessionId !== ended) return;
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    this.#current = await this.#connected().renew?.();
    this.#parts.onRenewed();
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    try {
      const { wire } = this.#connected();
      const late = `The server did not take ${method}`;
      await within(this.limits.requestTimeout, wire.notify(method, params), late);
    } catch (error) {
      throw asCallError(error);
    }
  }

  /** What came since the last time and answers no request, as the end of a message. */
  takeStrays(): string {
    return this.#current?.wire.takeStrays() ?? '';
  }

  /** The notifications that are being sent. */
  sending(): readonly Promise<void>[] {
    return this.#current?.wire.sends.underWay ?? [];
  }

  /** Closes the connection. One that is being opened fails with `lost`. */
  async close(): Promise<void> {
    const message = 'The client was closed while it was connecting';
    this.#opening?.stop.abort(callError('lost', message, new Closed(message)));
    await this.#opening?.ended;
    await this.#current?.wire.close();
  }

  #connected(): Negotiated {
    if (this.#current !== undefined && !this.#current.wire.isClosed) return this.#current;
    throw callError('lost', 'Not connected', new Closed('Not connected'));
  }

  /** The params, with who the client is: a revision without sessions wants it in each request. */
  #enveloped(params: object, version: RevisionVersion): JsonObject {
    if (REVISIONS[version].dialect === 'core') return params as JsonObject;
    const { info } = this.#parts;
    return {
      ...params,
      _meta: {
        [META_KEYS.protocolVersion]: version,
        [META_KEYS.clientInfo]: info,
        [META_KEYS.clientCapabilities]: this.#capabilities,
        ...(this.logLevel !== undefined && { [META_KEYS.logLevel]: this.logLevel }),
        ...(member(params, '_meta') as JsonObject | undefined),
      },
    };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
