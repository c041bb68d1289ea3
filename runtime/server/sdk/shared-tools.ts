import { McpServer, type ServerContext } from '@modelcontextprotocol/server';

import { ERROR_CODES, METHODS } from '../../protocol/index.js';
import type { Dialect } from '../../tasks/index.js';
import { at } from '../../wire/json.js';
import { rpcError } from './protocol-error.js';

/**
 * Tools that the user registers with the SDK (`mcp.registerTool`), or serves with handlers of their own,
 * beside the tools of `createTaskServer`.
 *
 * Both kinds share `tools/list` and `tools/call`. The SDK keeps one handler for each method, so this module
 * keeps the user's handlers and chooses for each request.
 */
export interface SharedTools {
  /** Whether the user serves tools at all. */
  exist(): boolean;
  /** Whether `mcp.registerTool` registered this one. */
  has(tool: string): boolean;
  /** Lets the user's handler answer the next `tools/call`, or the fallback handler. */
  answerNextCall(byUser: boolean): void;
}

type SharedMethod = typeof METHODS.toolsList | typeof METHODS.toolsCall;
type Handler = (request: unknown, ctx: ServerContext) => unknown;
/** The arguments of `setRequestHandler` behind the method: schemas, if any, and the handler. */
type Registration = readonly [...unknown[], Handler];
type SetHandler = (method: string, ...registration: Registration) => void;
type RegisteredTool = ReturnType<McpServer['registerTool']>;
type Register = (name: string, ...rest: unknown[]) => RegisteredTool;

/** Call it before the user registers tools. `listed` returns the tools of `createTaskServer`. */
export function shareToolMethods(
  mcp: McpServer,
  isOwn: (tool: string) => boolean,
  listed: () => readonly object[],
): SharedTools {
  const { server } = mcp;
  const handlers = new Map<SharedMethod, Registration>();
  const set = server.setRequestHandler.bind(server) as SetHandler;
  const assertFree = server.assertCanSetRequestHandler.bind(server);
  const register = mcp.registerTool.bind(mcp) as Register;
  const isRegistered = mcp.toolInputSchemaJson.bind(mcp);
  let registering = false;
  /** The SDK's own list has one page. A list of the user may have several. */
  let paged = false;

  Object.assign(server, {
    setRequestHandler(method: string, ...registration: Registration) {
      if (!isShared(method)) return set(method, ...registration);
      handlers.set(method, registration);
      if (method === METHODS.toolsCall) return set(method, ...registration);
      paged = !registering;
      return setList(registration);
    },
    assertCanSetRequestHandler(method: string) {
      if (!isShared(method)) return assertFree(method);
      if (handlers.has(method)) throw new Error(`A request handler for ${method} already exists`);
    },
  });
  Object.assign(mcp, {
    registerTool(name: string, ...rest: unknown[]) {
      assertNoClash(isOwn, name);
      registering = true;
      try {
        return guardRenames(register(name, ...rest), isOwn);
      } finally {
        registering = false;
      }
    },
  });
  server.registerCapabilities({ tools: {} });
  setList(undefined);

  function setList(registration: Registration | undefined): void {
    if (registration === undefined) return set(METHODS.toolsList, (request) => list(request));
    const schemas = registration.slice(0, -1);
    const theirs = registration.at(-1) as Handler;
    set(METHODS.toolsList, ...schemas, (request, ctx) => list(request, () => theirs(request, ctx)));
  }

  async function list(request: unknown, theirs?: () => unknown): Promise<object> {
    // With schemas, a handler gets the parameters alone.
    const cursor = at(request, ['params', 'cursor']) ?? at(request, ['cursor']);
    if (cursor !== undefined && !paged) throw rpcError(ERROR_CODES.InvalidParams, 'Invalid cursor');
    const result = ((await theirs?.()) ?? { tools: [] }) as { tools: readonly object[] };
    if (cursor !== undefined) return result;
    return { ...result, tools: [...listed(), ...result.tools] };
  }

  return {
    exist: () => handlers.has(METHODS.toolsCall),
    has: (tool) => isRegistered(tool) !== undefined,
    answerNextCall(byUser) {
      const registration = handlers.get(METHODS.toolsCall);
      if (byUser && registration !== undefined) set(METHODS.toolsCall, ...registration);
      else server.removeRequestHandler(METHODS.toolsCall);
    },
  };
}

/** What a `setup` registers. */
export interface Registered {
  /** The JSON Schema of a tool's arguments. */
  readonly inputSchemaOf: (tool: string) => unknown;
  /** Methods for which it sets handlers. */
  readonly methods: ReadonlySet<string>;
}

/**
 * Registers what `setup` registers with a server that serves no client, so that a clash of names is found
 * when the server starts and not when a client connects.
 */
export function trySetup(
  info: { readonly name: string; readonly version: string },
  setup: (mcp: McpServer, dialect: Dialect) => void,
  dialects: readonly Dialect[],
  own: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>,
): Registered {
  const servers = new Map<Dialect, McpServer>();
  const methods = new Set<string>();
  for (const dialect of dialects) {
    const mcp = new McpServer({ name: info.name, version: info.version });
    const isOwn = (tool: string): boolean => own.has(tool);
    if (own.size > 0) shareToolMethods(mcp, isOwn, () => []);
    noteMethods(mcp, methods);
    setup(mcp, dialect);
    servers.set(dialect, mcp);
  }
  return { methods, inputSchemaOf: (tool) => servers.get('ext')?.toolInputSchemaJson(tool) };
}

function noteMethods({ server }: McpServer, methods: Set<string>): void {
  const set = server.setRequestHandler.bind(server) as SetHandler;
  Object.assign(server, {
    setRequestHandler(method: string, ...registration: Registration) {
      methods.add(method);
      return set(method, ...registration);
    },
  });
}

function isShared(method: string): method is SharedMethod {
  return method === METHODS.toolsList || method === METHODS.toolsCall;
}

function guardRenames(tool: RegisteredTool, isOwn: (tool: string) => boolean): RegisteredTool {
  const update = tool.update.bind(tool);
  tool.update = (updates) => {
    if (typeof updates.name === 'string') assertNoClash(isOwn, updates.name);
    update(updates);
  };
  return tool;
}

function assertNoClash(isOwn: (tool: string) => boolean, name: string): void {
  if (!isOwn(name)) return;
  throw new TypeError(
    `Two tools are called ${JSON.stringify(name)}: one in the \`tools\` of createTaskServer, one that ` +
      '`setup` registers with mcp.registerTool. Rename or remove one of them.',
  );
}
