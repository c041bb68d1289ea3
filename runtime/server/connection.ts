import type { McpServer, ServerContext } from '@modelcontextprotocol/server';

import { DIALECT_VERSIONS, METHODS, REVISIONS } from '../protocol/index.js';
import type { Caller, CallerIdentity, Dialect, TaskEngine } from '../tasks/index.js';
import type { Operations } from '../telemetry/index.js';
import { member } from '../wire/json.js';
import { type Revision, withoutValues } from '../wire/revision.js';
import { spokenBy, statelessOf } from '../wire/spoken.js';
import { type Ask, elicits, undeclaredAsk, unidentifiedInput } from './asks.js';
import { callTool } from './call.js';
import {
  callsAsTasks,
  cancels,
  capabilitiesOf,
  lists,
  type Served,
  servesTasks,
  withoutTasks,
} from './capabilities.js';
import type { TaskCapabilities } from './declaration.js';
import type { CallParams, Peer, ServedDialect } from './dialects/index.js';
import { METHOD_NOT_FOUND, rpcError } from './errors.js';
import { ANYBODY, callerOf, type Identification, identityOf } from './principal.js';
import {
  type Answer,
  ConnectedServer,
  type Continuations,
  continuing,
  type OutgoingRules,
} from './sdk/index.js';
import type { ServerTool } from './tool.js';
import { invalidAnswer } from './valid-answers.js';

/**
 * Registers tools, resources, prompts and completions with the SDK. Called for each session, for each
 * request of 2026-07-28 that the SDK answers, and once for each dialect when the server is created. `dialect` is `core` for a
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
  const { engine, revisions } = dependencies;
  const terms = termsOf(dependencies, dialectName, identification, asksUnidentified);
  const { served, tasked, hasTasks } = terms;
  const supportedVersions = statelessOf(revisions.map(({ version }) => version));

  const mcp = new ConnectedServer({
    ...dependencies,
    capabilities: capabilitiesOf(served),
    ...(dialectName === 'core' && {
      versions: revisions.filter(({ dialect }) => dialect === 'core').map(({ version }) => version),
    }),
    inputSchemaOf: (tool) => dependencies.tools.get(tool)?.listing.inputSchema,
    checks: {
      operations: dependencies.operations,
      revision: terms.revision,
      revisionOf: (version) => revisions.find((each) => each.version === version),
      onRevision: (negotiated) => (terms.revision = negotiated),
      outgoing(method, result) {
        if (method === METHODS.serverDiscover) return { ...result, supportedVersions };
        return method === METHODS.initialize && !hasTasks() ? withoutTasks(result) : result;
      },
      ...terms.rules,
      invalidAnswer: (problem) => invalidAnswer(withoutValues(problem)),
      onLateAnswer() {
        const owner = identification === 'authorization' ? {} : { owner: identification };
        engine.refused({ ...owner, dialect: dialectName }, 'late_answer');
      },
    },
  });

  const answers = answersOf(dependencies, terms, mcp);
  ANSWERS.set(mcp, answers);
  for (const [method, answer] of answers.methods)
    mcp.serve(method, continuing(answer, answers.continuations));
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
    const call = continuing(answers.call, answers.continuations);
    mcp.serveTools({
      has: (tool) => tools.has(tool),
      listed: () => (hasTasks() ? withSupport : plain),
      // Tools that are registered with the SDK never become tasks.
      takes: (params) =>
        member(params, 'task') !== undefined && tasked && hasTasks() && dialectName === 'core',
      call: (params, ctx) => {
        const tool = String(params['name']);
        if (!mcp.hasRegistered(tool)) return call(params, ctx);
        throw rpcError(METHOD_NOT_FOUND, `Tool ${tool} does not run as a task`);
      },
    });
  }
}

/** What requests of 2026-07-28 are answered with that need no server instance of the SDK. */
export function answersToRequests(
  dependencies: ConnectionDependencies,
  identification: Identification,
  asksUnidentified: boolean,
): Answers {
  const terms = termsOf(dependencies, 'ext', identification, asksUnidentified);
  return answersOf(dependencies, terms, NO_PEER);
}

/** The same for a session, whose server instance `connect` made. */
export function answersIn(mcp: ConnectedServer): Answers {
  const answers = ANSWERS.get(mcp);
  if (answers === undefined) throw new Error('The connection was not made here');
  return answers;
}

const ANSWERS = new WeakMap<ConnectedServer, Answers>();

/** A request of 2026-07-28 declares its own capabilities, and nothing is sent to its client but its answer. */
const NO_PEER: Peer = {
  clientCapabilities: undefined,
  notify: () => Promise.resolve(),
  onClosed: () => undefined,
};

/** The answers of this room, whichever way a request came. */
export interface Answers {
  /** The one that the client of a session speaks. */
  readonly revision: Revision;
  /** The one that a request is checked in. Clients without sessions may change it with each request. */
  readonly revisionOf: (request: object) => Revision;
  /** Those of the dialect, by method. */
  readonly methods: ReadonlyMap<string, Answer>;
  /** The answer to `tools/call`, for the tools of `createTaskServer`. */
  readonly call: Answer;
  readonly rules: OutgoingRules;
  /** Of requests that began without the SDK, and go on there. */
  readonly continuations: Continuations;
}

interface Terms {
  readonly dialectName: Dialect;
  readonly served: Served;
  /** Settled by the handshake of a session. */
  revision: Revision;
  /** Whether the server serves tasks in the dialect. */
  readonly tasked: boolean;
  readonly unidentified: boolean;
  /** Sessions of the older revisions have no tasks: none is declared, listed, created or looked up there. */
  readonly hasTasks: () => boolean;
  readonly callerOf: (ctx: ServerContext) => Caller;
  readonly identityOf: (ctx: ServerContext) => CallerIdentity | undefined;
  readonly rules: OutgoingRules;
}

function termsOf(
  dependencies: ConnectionDependencies,
  dialectName: Dialect,
  identification: Identification,
  asksUnidentified: boolean,
): Terms {
  const { declared, declaredAsks, revisions, onError } = dependencies;
  const unidentified = identification === ANYBODY && !asksUnidentified;
  // A handshake settles that of a session. The SDK gives requests without one in the dialect's own.
  const first = revisions.find(({ dialect, version }) =>
    dialectName === 'core' ? dialect === 'core' : version === DIALECT_VERSIONS.ext,
  );
  if (first === undefined) throw notOffered(dialectName);
  const served = {
    tools: [...dependencies.tools.values()],
    declared,
    dialect: dialectName,
    identified: identification !== ANYBODY,
  };
  const terms: Terms = {
    dialectName,
    served,
    revision: first,
    tasked: servesTasks(served),
    unidentified,
    hasTasks: () => dialectName === 'ext' || hasOwnTasks(terms.revision),
    callerOf: (ctx) => callerOf(identification, dialectName, ctx.http?.authInfo),
    identityOf: (ctx) => identityOf(identification, ctx.http?.authInfo),
    rules: {
      // What resources and prompts ask by way of the SDK passes here only.
      forbids: (message) =>
        unidentified && elicits(message)
          ? unidentifiedInput()
          : undeclaredAsk(message, declaredAsks),
      onProblem: onError,
    },
  };
  return terms;
}

function answersOf(dependencies: ConnectionDependencies, terms: Terms, peer: Peer): Answers {
  const { engine, tools, declaredAsks, revisions } = dependencies;
  const offered = (version: string | undefined): Revision | undefined =>
    revisions.find((each) => each.version === version);
  const { dialectName, served, tasked, unidentified, hasTasks } = terms;
  const servedDialect = dependencies.dialects.get(dialectName);
  if (servedDialect === undefined) throw notOffered(dialectName);
  const dialect = servedDialect.connect({
    peer,
    engine,
    callerOf: terms.callerOf,
    identityOf: terms.identityOf,
    serves: {
      tasks: () => tasked && hasTasks(),
      calls: callsAsTasks(served),
      cancel: cancels(served),
      list: lists(served),
    },
  });
  const methods = new Map<string, Answer>();
  if (tasked) {
    for (const [method, answer] of dialect.methods()) {
      methods.set(method, async (params, ctx) => {
        dialect.assertServed(ctx);
        return answer(params, ctx);
      });
    }
  }
  const calling = {
    engine,
    dialect,
    tools,
    unidentified,
    declaredAsks,
    callerOf: terms.callerOf,
    identityOf: terms.identityOf,
  };
  return {
    get revision() {
      return terms.revision;
    },
    revisionOf: (message) => offered(spokenBy(message)) ?? terms.revision,
    methods,
    call: (params, ctx) => callTool(calling, params as unknown as CallParams, ctx),
    rules: terms.rules,
    continuations: new Map(),
  };
}

/** Sessions of the older revisions have no tasks. */
function hasOwnTasks({ version }: Revision): boolean {
  return Object.entries(REVISIONS).some(([name, { tasks }]) => name === version && tasks);
}

function notOffered(dialect: Dialect): Error {
  return new Error(`No revision of the dialect ${dialect} is offered`);
}
