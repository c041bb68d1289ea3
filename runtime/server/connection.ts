import type { McpServer, ServerContext } from '@modelcontextprotocol/server';

import { METHODS } from '../protocol/index.js';
import type { Dialect, TaskEngine } from '../tasks/index.js';
import type { Operations } from '../telemetry/index.js';
import { member } from '../wire/json.js';
import { DIALECT_VERSIONS, type Revision, withoutValues } from '../wire/revision.js';
import { type Ask, elicits, undeclaredAsk, unidentifiedInput } from './asks.js';
import { callTool } from './call.js';
import {
  callsAsTasks,
  cancels,
  capabilitiesOf,
  lists,
  servesTasks,
  withoutTasks,
} from './capabilities.js';
import type { TaskCapabilities } from './declaration.js';
import type { CallParams, ServedDialect } from './dialects/index.js';
import { METHOD_NOT_FOUND, rpcError } from './errors.js';
import { ANYBODY, callerOf, type Identification } from './principal.js';
import { ConnectedServer } from './sdk/index.js';
import type { ServerTool } from './tool.js';
import { invalidAnswer } from './valid-answers.js';

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
  /** What the user declares, else what the tools need. */
  readonly declared: TaskCapabilities;
  /** What clients may be asked; everything, where there is no declaration. */
  readonly declaredAsks: readonly Ask[] | undefined;
  /** Those offered, newest first. */
  readonly revisions: readonly Revision[];
  readonly engine: TaskEngine;
  /** Those of the revisions offered. */
  readonly dialects: ReadonlyMap<Dialect, ServedDialect>;
  readonly operations: Operations;
  readonly onError: (error: unknown) => void;
}

/** A server instance for one session, or for one request of 2026-07-28. */
export function connect(
  dependencies: ConnectionDependencies,
  dialectName: Dialect,
  identification: Identification,
  asksUnidentified: boolean,
): ConnectedServer {
  const { engine, revisions, declaredAsks } = dependencies;
  const unidentified = identification === ANYBODY && !asksUnidentified;
  const newest = revisions.find((each) => each.dialect === dialectName);
  const servedDialect = dependencies.dialects.get(dialectName);
  if (newest === undefined || servedDialect === undefined)
    throw new Error(`No revision of the dialect ${dialectName} is offered`);
  let revision: Revision = newest;
  const served = {
    tools: [...dependencies.tools.values()],
    declared: dependencies.declared,
    dialect: dialectName,
    identified: identification !== ANYBODY,
  };
  const tasked = servesTasks(served);

  /** Sessions of the older revisions have no tasks: none is declared, listed, created or looked up there. */
  const hasTasks = (): boolean =>
    dialectName === 'ext' || revision.version === DIALECT_VERSIONS.core;
  const callerIn = (ctx: ServerContext) =>
    callerOf(identification, dialectName, ctx.http?.authInfo);

  const mcp = new ConnectedServer({
    ...dependencies,
    capabilities: capabilitiesOf(served),
    ...(dialectName === 'core' && {
      versions: revisions.filter(({ dialect }) => dialect === 'core').map(({ version }) => version),
    }),
    inputSchemaOf: (tool) => dependencies.tools.get(tool)?.listing.inputSchema,
    checks: {
      operations: dependencies.operations,
      revision,
      revisionOf: (version) => revisions.find((each) => each.version === version),
      onRevision: (negotiated) => (revision = negotiated),
      outgoing: (method, result) =>
        method === METHODS.initialize && !hasTasks() ? withoutTasks(result) : result,
      // What resources and prompts ask by way of the SDK passes here only.
      forbids: (message) =>
        unidentified && elicits(message)
          ? unidentifiedInput()
          : undeclaredAsk(message, declaredAsks),
      invalidAnswer: (problem) => invalidAnswer(withoutValues(problem)),
      onProblem: dependencies.onError,
      onLateAnswer() {
        const owner = identification === 'authorization' ? {} : { owner: identification };
        engine.refused({ ...owner, dialect: dialectName }, 'late_answer');
      },
    },
  });

  const dialect = servedDialect.connect({
    mcp,
    engine,
    callerOf: callerIn,
    serves: {
      tasks: () => tasked && hasTasks(),
      calls: callsAsTasks(served),
      cancel: cancels(served),
      list: lists(served),
    },
  });
  if (tasked) {
    for (const [method, answer] of dialect.methods()) {
      mcp.serve(method, (params, ctx) => {
        dialect.assertServed(ctx);
        return answer(params, ctx);
      });
    }
  }
  if (served.tools.length > 0) serveTools();
  mcp.setUp((registrations) => dependencies.setup?.(registrations, dialectName));
  return mcp;

  /** The tools of `createTaskServer`. */
  function serveTools(): void {
    const { tools } = dependencies;
    const plain = served.tools.map(({ listing }) => listing);
    const withSupport = served.tools.map(({ listing, taskSupport }) =>
      tasked && dialectName === 'core' ? { ...listing, execution: { taskSupport } } : listing,
    );
    const calling = { engine, dialect, tools, unidentified, declaredAsks, callerOf: callerIn };
    mcp.serveTools({
      has: (tool) => tools.has(tool),
      listed: () => (hasTasks() ? withSupport : plain),
      // Tools that are registered with the SDK never become tasks.
      takes: (params) =>
        member(params, 'task') !== undefined && tasked && hasTasks() && dialectName === 'core',
      call: (given, ctx) => {
        const params = given as unknown as CallParams;
        if (!mcp.hasRegistered(params.name)) return callTool(calling, params, ctx);
        throw rpcError(METHOD_NOT_FOUND, `Tool ${params.name} does not run as a task`);
      },
    });
  }
}
