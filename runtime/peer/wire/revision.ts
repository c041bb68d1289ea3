import type * as v20251125 from '../../../generated/2025-11-25/validators.js';
import type * as v20260728 from '../../../generated/2026-07-28/validators.js';
import type { NotificationInfo, Party, RequestInfo } from '../../../generated/support/protocol.js';
import type { Wire } from '../../../generated/support/wire.js';
import {
  ERROR_CODES,
  META_KEYS,
  METHODS,
  DIALECT_VERSIONS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../../protocol.js';
import type { Dialect } from '../../tasks/index.js';
import type { Fault } from '../../transport/reading/envelope.js';
import { at, isObject, member } from './json.js';
import { matchesBase64 } from '../../../generated/support/byte.js';
import type * as extTasks from '../../../generated/ext-tasks/validators.js';

export interface InvalidMessage {
  readonly code: number;
  /** Contains each invalid field with its value. */
  readonly message: string;
  readonly faults: readonly Fault[];
}

/**
 * The problem for logs and for readers other than the sender: without values, and only with the first
 * name of each path.
 */
export function withoutValues({ faults }: InvalidMessage): string {
  const texts = faults.map(({ pointer, expected }) => {
    const [name, ...inner] = pointer
      .replace(/^\/(params|result)(?=\/|$)/, '')
      .split('/')
      .slice(1);
    const place = name === undefined ? 'it' : `/${name}`;
    return `${inner.length > 0 ? 'a part of ' : ''}${place} must be ${expected}`;
  });
  return [...new Set(texts)].join('; ');
}

/** How messages of a revision are checked. */
export interface Revision {
  readonly version: string;
  /** `core` for the revisions that open sessions with `initialize`, up to 2025-11-25; `ext` for 2026-07-28. */
  readonly dialect: Dialect;
  /** Its requests by method, with those of its extensions. */
  readonly requests: Requests;
  /** Its notifications by method, with those of its extensions. */
  readonly notifications: Notifications;
  /** Who sends requests as messages of their own, and so who gets answers: in 2026-07-28 the client alone. */
  readonly requesters: ReadonlySet<Party>;
  /** Whether a message may have this method: one of the revision, or one that no revision has. */
  takes(method: string): boolean;
  /**
   * The problem of a message; undefined for a valid one, and for one whose method the revision does not
   * have.
   */
  check(
    message: unknown,
    from: 'client' | 'server',
    methodOf?: (id: string | number) => string | undefined,
  ): InvalidMessage | undefined;
  /** The problem of the result of a request. */
  checkResult(method: string, result: unknown): InvalidMessage | undefined;
  /** The problem of a result that this side sends: also data that is not base64. */
  checkSent(method: string, result: unknown): InvalidMessage | undefined;
  /**
   * The problem of a tool's result. Unlike `checkResult`, it does not accept the other answers to
   * `tools/call`, such as `input_required`, which has hardly any required field.
   */
  checkToolResult(result: unknown): InvalidMessage | undefined;
  /** The problem of a server's request to a client, in either form of the revision. */
  checkQuestion(method: string, params: unknown): InvalidMessage | undefined;
}

type Requests = Readonly<Record<string, RequestInfo>>;
type Notifications = Readonly<Record<string, NotificationInfo | undefined>>;

/** The generated modules of a revision. */
export interface Tables {
  readonly REQUESTS: Requests;
  readonly NOTIFICATIONS: Notifications;
}

/** What an extension adds to the messages of a revision. */
export interface Extension extends Tables {
  readonly wire: Wire;
}

type Validators = Pick<
  typeof v20251125,
  'validateMessage' | 'validateResultOf' | 'validateCallToolResult'
> &
  // Absent where a server's requests to clients are messages of their own.
  Partial<Pick<typeof v20260728, 'validateInputRequest'>>;
type Rejected = {
  readonly ok: false;
  readonly code: number;
  readonly errors: readonly Fault[];
};
type Judged = { readonly ok: true } | Rejected;

/** `validators` and `tables` are the generated modules of the revision. */
export function createRevision(
  version: string,
  dialect: Dialect,
  validators: object,
  tables: Tables,
  added: readonly Extension[] = [],
): Revision {
  const extensions = added.map(({ wire }) => wire);
  // Every generated module has these functions. They differ only in the types of their messages.
  const { validateMessage, validateResultOf, validateCallToolResult, validateInputRequest } =
    validators as Validators;
  const requests = Object.fromEntries(
    [tables, ...added].flatMap(({ REQUESTS }) => Object.entries(REQUESTS)),
  );
  const notifications = Object.assign(
    {},
    ...[tables, ...added].map(({ NOTIFICATIONS }) => NOTIFICATIONS),
  ) as Notifications;
  const messages = Object.values(requests).filter(({ carrier }) => carrier === 'message');
  const checkResult: Revision['checkResult'] = (method, result) =>
    problemOf(validateResultOf(method, result, { extensions, maxErrors: MAX_ERRORS }));
  return {
    version,
    dialect,
    notifications,
    requests,
    requesters: new Set(messages.flatMap(({ senders }) => senders)),
    takes: (method) =>
      requests[method] !== undefined || notifications[method] !== undefined || !KNOWN.has(method),
    check: (message, from, methodOf) =>
      problemOf(validateMessage(message, { from, extensions, maxErrors: MAX_ERRORS, methodOf })),
    checkResult,
    checkSent(method, result) {
      const problem = checkResult(method, result);
      const fault = problem === undefined ? mediaFault(method, result) : undefined;
      return fault ? { ...fault, code: INTERNAL_ERROR, faults: [fault] } : problem;
    },
    checkQuestion(method, params) {
      const question = { method, params };
      if (validateInputRequest !== undefined) {
        const judged = validateInputRequest(question, { maxErrors: MAX_ERRORS });
        return problemOf(judged.ok ? judged : { ...judged, code: INTERNAL_ERROR });
      }
      const request = { ...question, jsonrpc: '2.0', id: 0 };
      return problemOf(validateMessage(request, { from: 'server', maxErrors: MAX_ERRORS }));
    },
    checkToolResult(result) {
      const judged = validateCallToolResult(result, { maxErrors: MAX_ERRORS });
      return problemOf(judged.ok ? judged : { ...judged, code: INTERNAL_ERROR });
    },
  };
}

/** The methods of all revisions. Others belong to extensions. */
const KNOWN: ReadonlySet<string> = new Set(Object.values(METHODS));

/** Enough to repair a message, and few enough to keep answers small. */
const MAX_ERRORS = 5;
const { MethodNotFound: METHOD_NOT_FOUND, InternalError: INTERNAL_ERROR } = ERROR_CODES;

function problemOf(judged: Judged): InvalidMessage | undefined {
  // Accepts methods of other extensions. A peer refuses those that it does not serve.
  if (judged.ok || judged.code === METHOD_NOT_FOUND) return undefined;
  const { code, errors } = judged;
  return {
    code,
    faults: errors,
    message: messagesOf(errors),
  };
}

/** The errors as sentences, each of which begins with its place. */
export function messagesOf(errors: readonly Pick<Fault, 'message'>[]): string {
  return errors.map(({ message }) => message).join(' ');
}

/** The version that a message without a session names. */
export function claimedIn(message: unknown): unknown {
  return at(message, ['params', '_meta', META_KEYS.protocolVersion]);
}

/** The members of results, messages and blocks that hold blocks of content, or contents of resources. */
const HOLDERS = ['content', 'messages', 'contents', 'resource'] as const;

/** Methods whose results have such blocks. What others call `content` is something else. */
const METHODS_WITH_MEDIA: ReadonlySet<string> = new Set([
  METHODS.toolsCall,
  METHODS.promptsGet,
  METHODS.resourcesRead,
  METHODS.samplingCreateMessage,
]);

/**
 * The first image, audio or blob whose data is not base64, in a method's result or params. The schemas say so with a
 * `format`, which is not checked on the wire. Clients refuse the whole message for it.
 */
export function mediaFault(method: string, holder: unknown): Fault | undefined {
  const pointer = METHODS_WITH_MEDIA.has(method) ? inHolders(holder, '') : undefined;
  if (pointer === undefined) return undefined;
  const expected = 'base64 text';
  const message = `${pointer} must be ${expected}: Buffer.from(bytes).toString('base64').`;
  return { pointer, expected, message };
}

function inHolders(value: unknown, pointer: string): string | undefined {
  for (const name of HOLDERS) {
    const held = member(value, name);
    const found = typeof held === 'object' ? inBlocks(held, `${pointer}/${name}`) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function inBlocks(held: unknown, pointer: string): string | undefined {
  if (!Array.isArray(held)) return inBlock(held, pointer);
  for (const [index, block] of held.entries()) {
    const found = inBlock(block, `${pointer}/${index}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inBlock(block: unknown, pointer: string): string | undefined {
  if (!isObject(block) || block['type'] === 'text') return undefined;
  const name = block['type'] === 'image' || block['type'] === 'audio' ? 'data' : 'blob';
  const data = block[name];
  if (typeof data === 'string' && !matchesBase64(data)) return `${pointer}/${name}`;
  return inHolders(block, pointer);
}

/** The tasks extension, as far as a server needs it. */
export type TasksExtension = Pick<typeof extTasks, 'validateTaskSubscriptionNotifications'> &
  Extension;

/** The generated modules of a revision, as far as a server needs them. */
export interface RevisionModules {
  readonly validators: object;
  readonly tables: Tables;
}

/** Where the modules of revisions come from. Rejects for those that it does not have. */
export interface RevisionSource {
  modules(version: RevisionVersion): Promise<RevisionModules>;
  tasksExtension(): Promise<TasksExtension>;
}

/** Revisions in which a process checks the messages of each dialect. */
const inDialects = new Map<Dialect, Revision>();
let extension: TasksExtension | undefined;

/**
 * The revisions to offer, newest first.
 *
 * @throws {RangeError} for an empty list, and for a version without the one that defines the tasks of its dialect, in
 *   which the answers of tools are written.
 */
export function offeredVersions(
  versions: readonly string[] = PROTOCOL_VERSIONS,
): readonly RevisionVersion[] {
  const chosen = PROTOCOL_VERSIONS.filter((each) => versions.includes(each));
  for (const version of chosen.toReversed()) {
    const needed = DIALECT_VERSIONS[REVISIONS[version].dialect];
    if (chosen.includes(needed)) continue;
    throw new RangeError(`Revision ${version} needs ${needed} as well: add it to \`revisions\``);
  }
  if (versions.length === 0) {
    throw new RangeError('`revisions` is empty: name at least one revision, or remove the option');
  }
  return chosen;
}

/** The revisions of a server. */
export interface ServedRevisions {
  /** Newest first. */
  readonly versions: readonly RevisionVersion[];
  /** One that is loaded: each without sessions, and that which defines the tasks of sessions. */
  readonly loaded: ReadonlyMap<string, Revision>;
  /** Loads one of a session, which its handshake names. Rejects when its modules cannot be loaded. */
  readonly load: (version: RevisionVersion) => Promise<Revision>;
}

/** Loads the revisions of dialects, and the tasks extension for servers that serve it. */
export async function loadRevisions(
  versions: readonly RevisionVersion[],
  servesTasksExtension: boolean,
  source: RevisionSource,
): Promise<ServedRevisions> {
  if (servesTasksExtension) extension ??= await source.tasksExtension();
  const added = (version: RevisionVersion): readonly Extension[] =>
    REVISIONS[version].dialect === 'ext' && servesTasksExtension && extension ? [extension] : [];
  const loaded = new Map<string, Revision>();
  async function keep(version: RevisionVersion): Promise<Revision> {
    const known = loaded.get(version);
    if (known !== undefined) return known;
    const { validators, tables } = await source.modules(version);
    const { dialect } = REVISIONS[version];
    const revision = createRevision(version, dialect, validators, tables, added(version));
    loaded.set(version, revision);
    return revision;
  }
  const first = versions.filter((version) => {
    const { dialect } = REVISIONS[version];
    return dialect === 'ext' || version === DIALECT_VERSIONS[dialect];
  });
  await Promise.all(first.map(keep));
  for (const dialect of ['core', 'ext'] as const) {
    const revision = loaded.get(DIALECT_VERSIONS[dialect]);
    if (revision !== undefined) inDialects.set(dialect, revision);
  }
  return { versions, loaded, load: keep };
}

/** Loads what a task of a dialect needs. A store may hold tasks of a dialect that is not served any more. */
export async function loadDialect(dialect: Dialect, source: RevisionSource): Promise<void> {
  if (inDialects.has(dialect)) return;
  await loadRevisions([DIALECT_VERSIONS[dialect]], false, source);
}

/** The revision in which the messages of a dialect are written. Loaded before the first of them. */
export function dialectRevision(dialect: Dialect): Revision {
  const revision = inDialects.get(dialect);
  if (revision === undefined) throw new Error(`The dialect ${dialect} is not loaded`);
  return revision;
}

/** The validators of the tasks extension. Loaded by the first server that serves it. */
export function tasksExtension(): TasksExtension {
  if (extension === undefined) throw new Error('The tasks extension is not loaded');
  return extension;
}
