import {
  McpServer,
  type JSONRPCRequest,
  type ServerCapabilities,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { anyObject, member } from '../../wire/json.js';
import { checkedTransport, type CheckedTransportOptions } from './checked-transport.js';
import { withoutPayload } from './error-text.js';
import { shareToolMethods, type SharedTools } from './shared-tools.js';

export interface ConnectedServerOptions {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly capabilities: ServerCapabilities;
  /** Revisions that a session may speak, newest first. Absent for a request of 2026-07-28. */
  readonly versions?: readonly string[];
  /** The JSON Schema of the arguments of a tool of `createTaskServer`. */
  readonly inputSchemaOf: (tool: string) => JsonObject | undefined;
  readonly checks: Omit<CheckedTransportOptions, 'onRequest' | 'knowsTool'>;
  readonly onError: (error: Error) => void;
}

/** How the server names itself. */
export function serverInfoOf({
  name,
  version,
  title,
}: Pick<ConnectedServerOptions, 'name' | 'version' | 'title'>): {
  name: string;
  version: string;
  title?: string;
} {
  return { name, version, ...(title !== undefined && { title }) };
}

/** Answers a request whose params the transport has checked. */
export type Answer = (params: JsonObject, ctx: ServerContext) => Promise<JsonObject>;

/** The tools of `createTaskServer`, beside those that the user registers with the SDK. */
export interface OwnTools {
  /** Whether `createTaskServer` has a tool of this name. */
  has(tool: string): boolean;
  /** As `tools/list` shows them. */
  listed(): readonly object[];
  /** Whether a call of a registered tool is for `call` all the same. */
  takes(params: unknown): boolean;
  readonly call: Answer;
}

/**
 * The SDK's server for one session or one request, on a transport that passes valid messages only, with an
 * answer to `tools/call` that the SDK does not check.
 */
export class ConnectedServer extends McpServer {
  readonly #options: ConnectedServerOptions;
  #own: OwnTools | undefined;
  #shared: SharedTools | undefined;
  #usersFallback: McpServer['server']['fallbackRequestHandler'];

  constructor(options: ConnectedServerOptions) {
    const { instructions, versions } = options;
    super(serverInfoOf(options), {
      capabilities: {},
      ...(instructions !== undefined && { instructions }),
      ...(versions && { supportedProtocolVersions: [...versions] }),
    });
    this.#options = options;
    this.server.onerror = (error) => this.#report(error);
    this.server.registerCapabilities(options.capabilities);
  }

  /** Lets the SDK check `Mcp-Param-*` headers against arguments, as a tool's schema may ask for. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#options.inputSchemaOf(name) ?? super.toolInputSchemaJson(name);
  }

  override connect(transport: Transport): Promise<void> {
    const onRequest = (request: JSONRPCRequest): void => this.#route(request);
    const knowsTool = (name: string): boolean =>
      this.#own?.has(name) === true || super.toolInputSchemaJson(name) !== undefined;
    const options = { ...this.#options.checks, onRequest, knowsTool };
    return super.connect(checkedTransport(transport, options));
  }

  /** What the client of a session declared in its handshake. */
  get clientCapabilities(): unknown {
    return this.server.getClientCapabilities();
  }

  /** Serves a request method. */
  serve(method: string, answer: Answer): void {
    this.server.setRequestHandler(method, { params: anyObject }, answer);
  }

  /** Sends a notification that belongs to no request. */
  notify(notification: { method: string; params: JsonObject }): Promise<void> {
    return this.server.notification(notification);
  }

  onClosed(callback: () => void): void {
    const earlier = this.server.onclose;
    this.server.onclose = () => {
      callback();
      earlier?.();
    };
  }

  /** Serves the tools of `createTaskServer`. Call it before the user registers others. */
  serveTools(own: OwnTools): void {
    this.#own = own;
    this.#shared = shareToolMethods(
      this,
      (tool) => own.has(tool),
      () => own.listed(),
    );
  }

  /** Whether the user registered a tool of this name with `registerTool`. */
  hasRegistered(tool: string): boolean {
    return this.#own?.has(tool) !== true && this.#shared?.has(tool) === true;
  }

  /** Runs the user's registrations, and keeps the fallback handler that they may set. */
  setUp(register: ((mcp: McpServer) => void) | undefined): void {
    register?.(this);
    this.#usersFallback = this.server.fallbackRequestHandler;
  }

  /**
   * Called with each request, in the turn in which the SDK then looks for its handler.
   *
   * The SDK's own `tools/call` handlers refuse tasks as results; its fallback handler lets them through. It
   * is there for that method only, so that the SDK still refuses methods without a handler.
   */
  #route({ method, params }: JSONRPCRequest): void {
    const isCall = method === METHODS.toolsCall;
    const own = isCall && this.#isOwnCall(params) ? this.#own : undefined;
    if (isCall) this.#shared?.answerNextCall(own === undefined);
    const fallback = own
      ? (request: { params?: unknown }, ctx: ServerContext) =>
          own.call(request.params as JsonObject, ctx)
      : this.#usersFallback;
    if (fallback === undefined) delete this.server.fallbackRequestHandler;
    else this.server.fallbackRequestHandler = fallback;
  }

  #isOwnCall(params: unknown): boolean {
    if (this.#own === undefined || this.#shared === undefined) return false;
    const tool = String(member(params, 'name'));
    if (!this.#shared.exist() || this.#own.has(tool)) return true;
    return this.#shared.has(tool) && this.#own.takes(params);
  }

  /** An answer that came too late for its client is no fault: the SDK calls it undeliverable. */
  #report(error: Error): void {
    if (!error.message.includes('is undeliverable')) this.#options.onError(withoutPayload(error));
  }
}
