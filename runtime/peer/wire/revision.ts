import type * as v20251125 from '../../../generated/2025-11-25/validators.js';
import type * as v20260728 from '../../../generated/2026-07-28/validators.js';
import type { NotificationInfo, Party, RequestInfo } from '../../../generated/support/protocol.js';
import type { Wire } from '../../../generated/support/wire.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../protocol.js';
import type { Dialect } from '../../tasks/index.js';
import type { Fault } from '../../transport/reading/envelope.js';
import { at } from './json.js';
import { mediaFault } from './media.js';

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
