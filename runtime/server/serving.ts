import {
  LazyAbort,
  type Methods,
  methodsOf,
  Peer,
  type PeerOptions,
  type ProtocolError,
  type Channel,
} from '../peer/index.js';
import { REVISIONS, type RevisionVersion } from '../protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import type { Operations } from '../telemetry/index.js';
import { isNew, type OpenSessions, type Served } from '../transport/index.js';
import { beginningOf } from '../peer/wire/json.js';
import { claimedIn, type Revision, withoutValues, dialectRevision } from '../peer/wire/revision.js';
import { type Ask, asksOf, hasAsk } from '../rules/questions.js';
import type { Asking } from './asks.js';
import { invalidAnswer } from './valid-answers.js';
import { ANYBODY, type AuthInfo, callerOf, type Identification, identityOf } from './auth/index.js';
import { servedTasks, taskCapabilities, type TaskCapabilities } from './capabilities.js';
import { type DialectModule, type Endpoint, featuresIn, type ServerParts } from './endpoint.js';
import { SHUTTING_DOWN, UNSUPPORTED_VERSION, rpcError } from './errors.js';
import { loggingCapabilities } from './controls.js';
import { toolRows } from './features/tools.js';
import { bothDeclare, type Guest, type JoinedGuest, ownedBy } from './guest.js';
import {
  clientCapabilitiesOf,
  type ServerExchange,
  type ServerOrigin,
  type ServerRows,
  type Session,
} from './session.js';
import { assertIdentified, guarded, scopedIn, scopesOf, type ScopesOf } from './scopes.js';

export interface ServingParts extends ServerParts {
  /** What the user declares about tasks, else what the tools need. */
  readonly declared: TaskCapabilities;
  /** What clients may be asked; everything, where there is no declaration. */
  readonly declaredAsks: readonly Ask[] | undefined;
  /** Those of the revisions offered. */
  readonly dialects: ReadonlyMap<Dialect, DialectModule>;
  /** Another server that takes part in this one. */
  readonly guest?: Guest | undefined;
  readonly operations: Operations;
}

/** How an endpoint identifies its callers, and what it allows to those whom nothing identifies. */
export interface EndpointTerms {
  readonly identification: Identification;
  readonly asksUnidentified: boolean;
  /** Open `subscriptions/listen` requests. */
  readonly maxSubscriptions?: number | undefined;
  /** Instead of the server's. */
  readonly guest?: Guest | undefined;
  /** Changes what peers do, for a server that answers some requests with what another one has answered. */
  readonly peers?: (options: PeerOptions<ServerOrigin>) => PeerOptions<ServerOrigin>;
}

/** What a server serves at one endpoint: its rows of methods, for sessions and for requests without. */
export class Serving implements Served<AuthInfo | undefined, Session> {
  readonly versions: readonly RevisionVersion[];
  readonly operations: Operations;
  /** Undefined where nothing needs a scope. */
  readonly scopesOf: ScopesOf | undefined;
  readonly #parts: ServingParts;
  readonly #terms: EndpointTerms;
  readonly #rows = new Map<Dialect, ServerRows>();
  readonly #methods = new Map<Revision, Methods<ServerOrigin>>();
  readonly #capabilities = new Map<Revision, JsonObject>();
  readonly #features: JsonObject;
  readonly #guest: Guest | undefined;
  readonly #joined: JoinedGuest | undefined;
  readonly #closing = new LazyAbort();
  readonly #peers = new Set<Peer<ServerOrigin>>();
  readonly #onClosed: () => void;
  /** The same for all sessions. A literal that begins with a spread leaves a hidden class for each. */
  #sessionOptions: PeerOptions<ServerOrigin> | undefined;

  constructor(parts: ServingParts, terms: EndpointTerms, onClosed: () => void) {
    this.#parts = parts;
    this.#terms = terms;
    this.#onClosed = onClosed;
    this.versions = parts.revisions.versions;
    this.operations = parts.operations;
    this.scopesOf = scopesOf(parts);
    if (terms.identification === ANYBODY) assertIdentified(scopedIn(parts));
    const features = featuresOf(parts);
    this.#guest = terms.guest ?? parts.guest;
    this.#features = this.#guest ? bothDeclare(features, this.#guest.capabilities) : features;
    this.#joined = this.#guest?.join({
      capabilities: features,
      owns: ownedBy(parts),
      callsAsTasks: servedTasks('core', parts.declared, false).calls,
      askingFor: (declared, revision) => this.#askingFor(declared, revision),
      onError: parts.onError,
    });
    for (const [name, dialect] of parts.dialects) this.#rows.set(name, this.#rowsOf(name, dialect));
  }

  /** Serves sessions over HTTP, where a revision with sessions is offered. */
  get openSessions(): OpenSessions | undefined {
    return this.#parts.dialects.get('core')?.sessions?.open;
  }

  requests(isPipe: boolean): Peer<ServerOrigin> | undefined {
    const dialect = this.#parts.dialects.get('ext');
    if (dialect === undefined) return undefined;
    const peer = new Peer<ServerOrigin>(
      this.#changed({
        ...this.#common(dialect),
        isConversation: isPipe,
        revisionOf: (message) =>
          this.#refusal(message) ?? this.#ofNotification(message) ?? this.#claimed(message),
      }),
    );
    this.#keep(peer);
    return peer;
  }

  openSession(id: string | undefined, standalone: Channel): Session {
    const dialect = this.#parts.dialects.get('core');
    if (dialect?.sessions === undefined) throw new Error('No revision with sessions is offered');
    const endOfSession = this.#parts.operations.session();
    this.#sessionOptions ??= this.#ofSessions(dialect);
    const session = dialect.sessions.make(id, standalone, this.#sessionOptions);
    this.#keep(session.peer);
    session.peer.onClosed(() =>
      endOfSession({
        revision: session.revision?.version,
        transport: id === undefined ? 'pipe' : 'tcp',
      }),
    );
    return session;
  }

  refuseVersion(message: JsonObject): ProtocolError | undefined {
    const claimed = this.#claimed(message);
    return claimed instanceof Error ? claimed : undefined;
  }

  get isDraining(): boolean {
    return this.#closing.aborted;
  }

  /**
   * Refuses new requests, and answers those that last as long as their clients want. Resolves when no request is open.
   */
  async drain(): Promise<void> {
    this.#closing.abort(undefined);
    // An answer to a question may begin a request after its peer was idle.
    while ([...this.#peers].some(({ open }) => open > 0)) {
      await Promise.all([...this.#peers].map((peer) => peer.idle()));
    }
  }

  /** Ends sessions, and answers what is still open with an error. */
  close(): void {
    this.#closing.abort(undefined);
    for (const peer of this.#peers) peer.close(SHUTTING_DOWN);
    this.#onClosed();
  }

  #keep(peer: Peer<ServerOrigin>): void {
    this.#peers.add(peer);
    peer.onClosed(() => this.#peers.delete(peer));
  }

  #refusal(message: JsonObject): ProtocolError | undefined {
    return this.isDraining && isNew(message) ? SHUTTING_DOWN : undefined;
  }

  inputSchemaOf(tool: string): unknown {
    const own = this.#parts.tools.get(tool)?.listing.inputSchema;
    return own ?? this.#guest?.inputSchemaOf(tool);
  }

  #ofSessions(dialect: DialectModule): PeerOptions<ServerOrigin> {
    const first = dialectRevision('core');
    return this.#changed({
      ...this.#common(dialect),
      isConversation: true,
      revisionOf: (message, { session }) => this.#refusal(message) ?? session?.revision ?? first,
      onNotification: (method, params, { session }) => {
        if (session !== undefined) this.#joined?.notified(session, method, params);
      },
    });
  }

  #changed(options: PeerOptions<ServerOrigin>): PeerOptions<ServerOrigin> {
    return this.#terms.peers?.(options) ?? options;
  }

  /** The options that peers of sessions and of requests share. */
  #common(
    dialect: DialectModule,
  ): Omit<PeerOptions<ServerOrigin>, 'isConversation' | 'revisionOf'> {
    const { operations, onError, engine, tools, serverInfo } = this.#parts;
    return {
      complete: (result, exchange) => dialect.complete(result, exchange, serverInfo),
      degraded: dialect.degraded,
      other: 'client',
      methodsIn: this.#methodsIn,
      operations,
      factsOf: ({ session, http }, revision) => ({
        revision: revision?.version,
        sessionId: session?.id,
        transport: http === undefined ? 'pipe' : 'tcp',
        knowsTool: (name) => tools.has(name) || this.inputSchemaOf(name) !== undefined,
      }),
      invalidAnswer: (problem) => invalidAnswer(withoutValues(problem)),
      onLateAnswer: ({ who, session }) => {
        const name = session === undefined ? 'ext' : 'core';
        engine.refused(callerOf(this.#terms.identification, name, who), 'late_answer');
      },
      onProblem: onError,
    };
  }

  /** A notification over a pipe names no revision: it is about a request that did. */
  #ofNotification(message: JsonObject): Revision | undefined {
    if (message['id'] !== undefined || claimedIn(message) !== undefined) return undefined;
    const [newest] = versionsOf('ext', this.versions);
    return newest && this.#parts.revisions.loaded.get(newest);
  }

  /** The revision that a request without a session names. */
  #claimed(message: JsonObject): Revision | ProtocolError {
    const requested = claimedIn(message);
    const revision =
      typeof requested === 'string' ? this.#parts.revisions.loaded.get(requested) : undefined;
    if (revision?.dialect === 'ext') return revision;
    const stateless = versionsOf('ext', this.versions);
    const text = typeof requested === 'string' ? requested : JSON.stringify(requested);
    const shown = text && beginningOf(text);
    return rpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${shown}`, {
      supported: stateless.length > 0 ? stateless : [...this.versions],
      ...(shown !== undefined && { requested: shown }),
    });
  }

  readonly #methodsIn = (revision: Revision): Methods<ServerOrigin> => {
    let methods = this.#methods.get(revision);
    if (methods === undefined) {
      const rows = this.#rows.get(revision.dialect) ?? {};
      methods = methodsOf(revision, 'server', rows, this.#capabilitiesIn(revision));
      this.#methods.set(revision, methods);
    }
    return methods;
  };

  #capabilitiesIn(revision: Revision): JsonObject {
    let capabilities = this.#capabilities.get(revision);
    if (capabilities === undefined) {
      const { declared } = this.#parts;
      const isIdentified = this.#terms.identification !== ANYBODY;
      const tasks = servedTasks(revision.dialect, declared, isIdentified);
      capabilities = bothDeclare(taskCapabilities(revision, tasks), this.#features);
      this.#capabilities.set(revision, capabilities);
    }
    return capabilities;
  }

  #rowsOf(name: Dialect, module: DialectModule): ServerRows {
    const { identification, maxSubscriptions } = this.#terms;
    const callerIn = ({ origin }: ServerExchange) => callerOf(identification, name, origin.who);
    const served: Omit<Endpoint, 'dialect'> = {
      ...this.#parts,
      serves: servedTasks(name, this.#parts.declared, identification !== ANYBODY),
      versions: versionsOf(name, this.versions),
      capabilitiesIn: (revision) => this.#capabilitiesIn(revision),
      callerOf: callerIn,
      identityOf: ({ origin }) => identityOf(identification, origin.who),
      askingOf: (exchange) => this.#askingOf(exchange),
      questions: (exchange, params, request, work) => {
        const asking = (): Asking => this.#askingOf(exchange);
        const asked = { exchange, params, caller: callerIn(exchange), asking, request };
        return dialect.withQuestions(asked, undefined, work);
      },
      maxSubscriptions,
      follow: this.#joined && this.#joined.follow.bind(this.#joined),
      closing: this.#closing,
    };
    const dialect = module.serve(served);
    const endpoint: Endpoint = { ...served, dialect };
    const rows: ServerRows = {
      ...module.rows(endpoint),
      ...toolRows(endpoint),
      ...(Object.assign(
        {},
        ...[...featuresIn(endpoint)].map((feature) => feature.rows(endpoint)),
      ) as ServerRows),
      ...dialect.rows,
    };
    const own = guarded(rows, this.#parts);
    return this.#joined?.rows(name, own) ?? own;
  }

  #askingOf(exchange: ServerExchange): Asking {
    return this.#askingFor(clientCapabilitiesOf(exchange), exchange.revision);
  }

  #askingFor(clientCapabilities: JsonObject, revision: Revision): Asking {
    const { declaredAsks } = this.#parts;
    const { identification, asksUnidentified } = this.#terms;
    const unidentified = identification === ANYBODY && !asksUnidentified;
    const claimed = asksOf(clientCapabilities);
    const asks = claimed.filter((ask) => hasAsk(revision, ask));
    // In the older revisions of sessions there is no word for it, and every client that samples may be asked.
    const isOlder = !hasAsk(revision, 'sampling.context') && asks.includes('sampling');
    return {
      asks: isOlder ? [...asks, 'sampling.context'] : asks,
      ...(asks.length < claimed.length && { revision: revision.version }),
      ...(unidentified && { unidentified }),
      ...(declaredAsks && { declared: declaredAsks }),
    };
  }
}

/** Those of a dialect, newest first. */
export function versionsOf(
  dialect: Dialect,
  versions: readonly RevisionVersion[],
): RevisionVersion[] {
  return versions.filter((version) => REVISIONS[version].dialect === dialect);
}

/** What a server declares beside tasks. */
export function featuresOf(
  parts: Pick<ServingParts, 'tools' | 'resources' | 'prompts' | 'logging'>,
): JsonObject {
  return {
    ...loggingCapabilities(parts),
    ...(Object.assign(
      {},
      ...[...featuresIn(parts)].map(({ capabilities }) => capabilities),
    ) as JsonObject),
    ...(parts.tools.size > 0 && { tools: { listChanged: true } }),
  };
}
