/** How a connection agrees on a revision: without a session by `server/discover`, else by `initialize`. */

import { ProtocolError } from '../peer/index.js';
import { ERROR_CODES, METHODS, REVISIONS, type RevisionVersion } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { at } from '../peer/wire/json.js';
import { asCallError, CallError } from './errors.js';
import { sleep } from './pacing.js';
import { printable } from './printable.js';
import { revisionOf } from './revisions.js';
import type { Session } from './session.js';
import { within } from './stop.js';
import { type ClientTransport, kindOf, statusOf } from './transport.js';
import type { Wire } from './wire.js';

export interface NegotiationParts {
  readonly transport: ClientTransport;
  /** What the client speaks, newest first. */
  readonly versions: readonly RevisionVersion[];
  /** Milliseconds for each message. */
  readonly timeout: number;
  /** Gets one sentence when a slow server is the only reason for an earlier revision. */
  readonly onSlow: (message: string) => void;
  readonly session?: Session | undefined;
  /** Opens the transport. Another time, when a server of earlier revisions ends itself at `server/discover`. */
  readonly open: (version: RevisionVersion) => Promise<Wire>;
  /** The params of `initialize`. */
  readonly opening: (version: RevisionVersion) => JsonObject;
  /** Adds the `_meta` of a revision without sessions. */
  readonly enveloped: (params: JsonObject, version: RevisionVersion) => JsonObject;
}

/** What a connection has agreed on. */
export interface Negotiated {
  readonly wire: Wire;
  readonly version: RevisionVersion;
  /** The result of `initialize` or `server/discover`. */
  readonly server: JsonObject;
  /** Begins another session on the same connection. Undefined where there are no sessions. */
  readonly renew?: () => Promise<Negotiated>;
}

/** Milliseconds over a pipe after which a `ping` asks whether a server reads that has not answered `server/discover`. */
const QUIET = 2_000;
/** Milliseconds for `server/discover` after the answer to `ping`, because answers may overtake each other. */
const OVERTAKEN = 3_000;
/** Milliseconds for `initialize` where the server has answered nothing before. */
const LAST_TRY = 5_000;

/** Rejects with a `CallError`; with the versions that the server names when no revision is shared. */
export async function negotiate(parts: NegotiationParts): Promise<Negotiated> {
  const { versions, session, timeout, transport } = parts;
  const [modern] = versions.filter((each) => REVISIONS[each].dialect === 'ext');
  const [legacy] = versions.filter((each) => REVISIONS[each].dialect === 'core');
  // A session, and the HTTP transport of 2024-11-05, are of earlier revisions.
  const isEarlier = session !== undefined || kindOf(transport) === 'sse';
  if (modern === undefined || (isEarlier && legacy !== undefined)) {
    if (legacy === undefined) throw new RangeError('The client speaks no revision');
    return opened(parts, await parts.open(legacy), legacy);
  }
  const wire = await parts.open(modern);
  const stop = new AbortController();
  const mayBeSilent = legacy !== undefined && kindOf(transport) !== 'http';
  const found = discovered(parts, wire, modern, mayBeSilent ? undefined : timeout);
  const silent = mayBeSilent ? [silence(parts, wire, modern, legacy, stop.signal)] : [];
  try {
    return await taken(parts, await Promise.race([found, ...silent]));
  } catch (error) {
    if (legacy === undefined) throw refused(error, parts);
    if (error instanceof Silence) return await afterSilence(parts, wire, legacy, found, error);
    if (!mayBeEarlier(error, wire, transport)) throw refused(error, parts);
    const again = wire.isClosed ? await parts.open(legacy) : wire;
    return await opened(parts, again, legacy).catch((reason: unknown) => {
      // A server that refuses sessions is not of an earlier revision.
      throw refusesSessions(reason) ? refused(error, parts) : reason;
    });
  } finally {
    stop.abort();
  }
}

async function discovered(
  { enveloped, versions }: NegotiationParts,
  wire: Wire,
  version: RevisionVersion,
  timeout: number | undefined,
): Promise<Negotiated> {
  const server = await wire.ask(METHODS.serverDiscover, enveloped({}, version), { timeout });
  const { supportedVersions } = server;
  const named = namesIn(supportedVersions);
  if (!named.includes(version)) throw unsupported(version, named, versions);
  return { wire, version, server };
}

async function taken({ transport }: NegotiationParts, found: Negotiated): Promise<Negotiated> {
  found.wire.revision = await revisionOf(found.version);
  transport.setProtocolVersion?.(found.version);
  return found;
}

/** The server has not answered `server/discover`. */
class Silence extends Error {
  /** Whether it answers `ping`, so that it ignores the question. Otherwise it may not have started. */
  readonly reads: boolean;

  constructor(reads: boolean) {
    super();
    this.reads = reads;
  }
}

/** Rejects with a `Silence` when the server answers a later `ping` alone, or nothing until the timeout. */
async function silence(
  { enveloped, timeout }: NegotiationParts,
  wire: Wire,
  modern: RevisionVersion,
  legacy: RevisionVersion,
  stop: AbortSignal,
): Promise<never> {
  const quiet = Math.min(QUIET, timeout / 2);
  await sleep(quiet, stop);
  const revision = await revisionOf(legacy);
  // In an envelope: a server of both kinds takes a bare `ping` for the beginning of a session.
  const ping = wire.ask(METHODS.ping, enveloped({}, modern), { revision });
  const reads = await Promise.race([
    // An error is an answer, too. A closed connection fails `server/discover` as well.
    ping.then(yes, yes),
    sleep(timeout - quiet, stop).then(() => false),
  ]);
  if (reads) await sleep(Math.min(OVERTAKEN, timeout / 2), stop);
  throw new Silence(reads);
}

const yes = (): boolean => true;

/** Opens a session. A server that refuses sessions may answer `server/discover` late. */
async function afterSilence(
  parts: NegotiationParts,
  wire: Wire,
  legacy: RevisionVersion,
  found: Promise<Negotiated>,
  { reads }: Silence,
): Promise<Negotiated> {
  const { timeout, onSlow } = parts;
  const limit = reads ? timeout : Math.min(timeout, LAST_TRY);
  try {
    const session = await opened({ ...parts, timeout: limit }, wire, legacy);
    const slow = (why: string): void =>
      onSlow(
        `The server is slow: it answered ${why}. So the revision is ${session.version}, which may not be its newest: connect again`,
      );
    const late = (): void => slow('server/discover after initialize');
    found.then(reads ? late : undefined).catch(() => undefined);
    if (!reads) slow(`neither server/discover nor ping within ${String(timeout / 1000)} s`);
    return session;
  } catch (error) {
    const patience = refusesSessions(error) ? timeout : 0;
    const answer = within(patience, found, 'The server did not answer server/discover');
    return await taken(parts, await answer.catch(() => Promise.reject(error as Error)));
  }
}

function refusesSessions(error: unknown): boolean {
  const { failure } = asCallError(error);
  return failure.reason === 'rpc_error' && NO_SESSIONS.has(failure.error.code);
}

/** Whether a server that did not answer `server/discover` well may know `initialize`. */
function mayBeEarlier(error: unknown, wire: Wire, transport: ClientTransport): boolean {
  if (error instanceof Unsupported)
    return error.named.some(isEarlierName) || error.named.length === 0;
  if (error instanceof ProtocolError) {
    if (OF_LATER.has(error.code)) return false;
    if (error.code !== ERROR_CODES.UnsupportedProtocolVersion) return true;
    const named = namesIn(at(error.data, ['supported']));
    return named.length === 0 || named.some(isEarlierName);
  }
  const { reason } = asCallError(error);
  if (reason === 'invalid_answer') return true;
  const status = statusOf(error);
  if (status !== undefined) return status >= 400 && status < 500 && !OF_ANY.has(status);
  // A browser hides why: a server of earlier revisions may not allow the headers of later ones (CORS).
  if (kindOf(transport) === 'http') return 'document' in globalThis && error instanceof TypeError;
  return kindOf(transport) === 'pipe' && wire.isClosed;
}

/** Statuses that a server of every revision has: for tokens, and for a server that has no time. */
const OF_ANY: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** Errors that only servers without sessions have: such a server refuses the client, and knows no `initialize`. */
const OF_LATER: ReadonlySet<number> = new Set([
  ERROR_CODES.HeaderMismatch,
  ERROR_CODES.MissingRequiredClientCapability,
]);

/** Errors of `initialize` at a server without sessions. */
const NO_SESSIONS: ReadonlySet<number> = new Set([
  ...OF_LATER,
  ERROR_CODES.MethodNotFound,
  ERROR_CODES.UnsupportedProtocolVersion,
]);

function isEarlierName(name: string): boolean {
  return (REVISIONS as Record<string, { dialect: string } | undefined>)[name]?.dialect === 'core';
}

async function opened(
  parts: NegotiationParts,
  wire: Wire,
  tried: RevisionVersion,
): Promise<Negotiated> {
  const { opening, session, timeout, transport, versions } = parts;
  wire.revision = await revisionOf(tried);
  const server =
    session?.initialized ??
    (await wire.ask(METHODS.initialize, opening(tried), { timeout }).catch((error: unknown) => {
      throw refused(error, { versions });
    }));
  const { protocolVersion: version } = server;
  if (!isOffered(version, versions)) {
    throw unsupported(tried, typeof version === 'string' ? [version] : [], versions);
  }
  wire.revision = await revisionOf(version);
  transport.setProtocolVersion?.(version);
  const initialized = wire.notify(METHODS.notificationsInitialized, {});
  await within(timeout, initialized, 'The server did not take notifications/initialized');
  const renew = () => opened({ ...parts, session: undefined }, wire, tried);
  return { wire, version, server, renew };
}

function isOffered(
  version: unknown,
  versions: readonly RevisionVersion[],
): version is RevisionVersion {
  return versions.some((each) => each === version && REVISIONS[each].dialect === 'core');
}

/** No revision is shared. */
class Unsupported extends CallError {
  readonly named: readonly string[];

  constructor(message: string, named: readonly string[], cause?: unknown) {
    super({ reason: 'invalid_answer' }, message, { cause });
    this.named = named;
  }
}

function unsupported(
  tried: string,
  named: readonly string[],
  versions: readonly string[],
  cause?: unknown,
): Unsupported {
  const theirs = named.length === 0 ? 'names no versions' : `names ${printable(named.join(', '))}`;
  const message = `The server does not support revision ${tried} and ${theirs}; this client supports ${versions.join(', ')}`;
  return new Unsupported(message, named, cause);
}

/** A refusal of the version, with the versions that the server names. */
function refused(error: unknown, { versions }: Pick<NegotiationParts, 'versions'>): CallError {
  if (!(error instanceof ProtocolError)) return asCallError(error);
  const named = namesIn(at(error.data, ['supported']));
  if (named.length === 0) return asCallError(error);
  const message = `${printable(error.message)}: the server supports ${printable(named.join(', '))}, this client ${versions.join(', ')}`;
  const { code, data } = error;
  return new CallError({ reason: 'rpc_error', error: { code, message, data } }, message, {
    cause: error,
  });
}

/** Versions that a server names, as far as they may be shown. */
function namesIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).filter((each) => typeof each === 'string').slice(0, MOST_NAMES);
}

const MOST_NAMES = 20;
