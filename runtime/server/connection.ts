import {
  type ListToolsResult,
  McpServer,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';

import type { Dialect, TaskEngine } from '../tasks/index.js';
import { type CallParams, coreCall, extCall } from './call.js';
import {
  callsAsTasks,
  cancels,
  capabilitiesOf,
  lists,
  servesTasks,
  withoutTasks,
} from './capabilities.js';
import { type Ask, elicits, undeclaredAsk, unidentifiedInput } from './asks.js';
import type { TaskCapabilities } from './declaration.js';
import { checkedTransport } from './checked.js';
import { serveCore } from './core.js';
import type { InputDelivery } from './input-delivery.js';
import { METHOD_NOT_FOUND, rpcError } from './errors.js';
import { serveExt } from './ext.js';
import { ANYBODY, callerOf, type Identification } from './principal.js';
import { withoutPayload } from './sdk-errors.js';
import { member } from '../wire/json.js';
import { DIALECT_REVISIONS, type Revision } from '../wire/revisions.js';
import { shareToolMethods } from './registered-tools.js';
import type { RequestStates } from './multi-round-trip.js';
import type { ServerTool } from './tool.js';

/**
 * Registers tools, resources, prompts and completions with the SDK. Called for each session, for each
 * request of 2026-07-28, and once for each dialect when the server is created. `dialect` is `core` for a
 * session (revisions up to 2025-11-25) and `ext` for a request of 2026-07-28.
 */
export type Setup = (mcp: McpServer, dialect: Dialect) => void;

export interface ConnectionDependencies {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly setup?: Setup;
  readonly tools: ReadonlyMap<string, ServerTool>;
  readonly dialects: readonly Dialect[];
  readonly capabilities?: TaskCapabilities | undefined;
  /** What clients may be asked; everything, where there is no declaration. */
  readonly declaredAsks: readonly Ask[] | undefined;
  /** Those offered, newest first. */
  readonly revisions: readonly Revision[];
  readonly engine: TaskEngine;
  readonly inputDelivery: InputDelivery;
  readonly requestStates: RequestStates;
  readonly onError: (error: unknown) => void;
}

/** The SDK's server, on transports that let nothing invalid through. */
export class ConnectedServer extends McpServer {
  readonly #check: (inner: Transport) => Transport;
  readonly #tools: ReadonlyMap<string, ServerTool>;

  constructor(
    info: { readonly name: string; readonly version: string; readonly title?: string },
    options: ConstructorParameters<typeof McpServer>[1],
    tools: ReadonlyMap<string, ServerTool>,
    check: (inner: Transport) => Transport,
  ) {
    super(info, options);
    this.#tools = tools;
    this.#check = check;
  }

  /** Lets the SDK check `Mcp-Param-*` headers against arguments, as a tool's schema may ask for. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#tools.get(name)?.listing.inputSchema ?? super.toolInputSchemaJson(name);
  }

  override connect(transport: Transport): Promise<void> {
    return super.connect(this.#check(transport));
  }
}

export function connect(
  dependencies: ConnectionDependencies,
  dialect: Dialect,
  identification: Identification,
  asksUnidentified: boolean,
): ConnectedServer {
  const { name, version, title, instructions, onError, engine, inputDelivery } = dependencies;
  const tools = [...dependencies.tools.values()];
  const legacyVersions = dependencies.revisions
    .filter((each) => each.dialect === 'core')
    .map((each) => each.version);
  const unidentified = identification === ANYBODY && !asksUnidentified;
  let revision: Revision = DIALECT_REVISIONS[dialect];
  const served = {
    tools,
    dialects: dependencies.dialects,
    declared: dependencies.capabilities,
    dialect,
    identified: identification !== ANYBODY,
  };
  const tasked = servesTasks(served);

  const mcp = new ConnectedServer(
    { name, version, ...(title !== undefined && { title }) },
    {
      capabilities: {},
      ...(instructions !== undefined && { instructions }),
      ...(dialect === 'core' && { supportedProtocolVersions: legacyVersions }),
    },
    dependencies.tools,
    (inner) =>
      checkedTransport(inner, {
        revision,
        onProblem: onError,
        onLateAnswer() {
          const owner = identification === 'authorization' ? {} : { owner: identification };
          engine.refused({ ...owner, dialect }, 'late_answer');
        },
        // What resources and prompts ask by way of the SDK passes here only.
        forbids: (message) =>
          unidentified && elicits(message)
            ? unidentifiedInput()
            : undeclaredAsk(message, dependencies.declaredAsks),
        revisionOf: (version) => dependencies.revisions.find((each) => each.version === version),
        onRevision: (negotiated) => (revision = negotiated),
        outgoing: (method, result) =>
          method === 'initialize' && !hasTasks() ? withoutTasks(result) : result,
        onRequest({ method, params }) {
          // The SDK's own `tools/call` handlers refuse tasks as results; its fallback lets them through.
          // It is there for that method only, so that the SDK still refuses methods without a handler.
          const ours = method === 'tools/call' && answersCall(params);
          if (method === 'tools/call') registered?.answerNextCall(!ours);
          const fallback = ours ? answerCall : usersFallback;
          if (fallback === undefined) delete mcp.server.fallbackRequestHandler;
          else mcp.server.fallbackRequestHandler = fallback;
        },
      }),
  );
  mcp.server.onerror = (error) => {
    // Clients go away: that an answer came too late for one is no fault of anybody's.
    if (!error.message.includes('is undeliverable')) onError(withoutPayload(error));
  };
  mcp.server.registerCapabilities(capabilitiesOf(served));
  const plain = tools.map((tool) => listing(tool, false));
  const listed = tools.map((tool) => listing(tool, tasked && dialect === 'core'));
  const registered =
    tools.length === 0
      ? undefined
      : shareToolMethods(mcp, dependencies.tools, () => (hasTasks() ? listed : plain));
  const answerCall = callHandler();
  dependencies.setup?.(mcp, dialect);
  const usersFallback = mcp.server.fallbackRequestHandler;
  return mcp;

  /** Whether a call is of a tool of ours, or asks for a task, which tools of the SDK never become. */
  function answersCall(params: unknown): boolean {
    if (registered === undefined) return false;
    const tool = String(member(params, 'name'));
    if (!registered.exist() || dependencies.tools.has(tool)) return true;
    const asksForTask = member(params, 'task') !== undefined && registered.has(tool);
    return asksForTask && hasTasks() && tasked && dialect === 'core';
  }

  /** Sessions of the older revisions know no tasks: none is declared, listed, created or looked up there. */
  function hasTasks(): boolean {
    return dialect === 'ext' || revision === DIALECT_REVISIONS.core;
  }

  function callHandler(): NonNullable<typeof mcp.server.fallbackRequestHandler> {
    const callerFor = (ctx: ServerContext) => callerOf(identification, dialect, ctx.http?.authInfo);
    const serving = {
      mcp,
      engine,
      inputDelivery,
      callerOf: callerFor,
      lists: lists(served),
      cancels: cancels(served),
      callsAsTasks: callsAsTasks(served),
      hasTasks,
    };
    const calling = { ...dependencies, callerOf: callerFor, unidentified };
    const call =
      dialect === 'core'
        ? coreCall(
            calling,
            () => mcp.server.getClientCapabilities(),
            tasked ? serveCore(serving) : undefined,
          )
        : extCall(calling, tasked ? serveExt(serving) : undefined);
    return async ({ params }, ctx) => {
      const { name: tool } = params as unknown as CallParams;
      if (registered?.has(tool) === true && !dependencies.tools.has(tool)) {
        throw rpcError(METHOD_NOT_FOUND, `Tool ${tool} does not run as a task`);
      }
      return call(params as unknown as CallParams, ctx);
    };
  }
}

function listing(
  { listing, taskSupport }: ServerTool,
  withTaskSupport: boolean,
): ListToolsResult['tools'][number] {
  const listed = withTaskSupport ? { ...listing, execution: { taskSupport } } : listing;
  // The SDK's type asks for JSON values where ours knows objects.
  return listed as ListToolsResult['tools'][number];
}
