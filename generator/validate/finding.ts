import { printable } from '../diagnostics/index.js';
import type { Paint } from '../diagnostics/index.js';
import { DIALECT_REVISIONS, revisionsWhere } from '../revisions/index.js';
import type { Party } from './direction.js';

export type Severity = 'error' | 'unclear' | 'warning';

interface Rule {
  /** The usual severity. A rule that only newer revisions state is a warning in older ones. */
  readonly severity: Severity;
  /** The rule in one sentence. */
  readonly rule: string;
  /** The scope of the rule. Default: all messages. */
  readonly scope?: string;
}

const { core: CORE_REVISION, ext: EXT_REVISION } = DIALECT_REVISIONS;
const CORE = `${CORE_REVISION} tasks`;
const EXT = `${EXT_REVISION} tasks`;
const TASKS = 'tasks';
/** The first revision without sessions. */
const STATELESS = revisionsWhere(({ dialect }) => dialect === 'ext')[0] ?? EXT_REVISION;
const BATCHES = revisionsWhere(({ batches }) => batches === true).join(', ');
const [STRICT_SINCE] = revisionsWhere(({ strictCapabilities }) => strictCapabilities === true);

/**
 * The findings by code. A code never changes its meaning. `error`: a message breaks a MUST. `warning`: a
 * message breaks a SHOULD, or the evidence may precede the recording. `unclear`: the command needs an
 * option to decide. `docs/validating.md` lists them all.
 */
export const FINDINGS = {
  'not-json': { severity: 'error', rule: 'Each value in the input is JSON, in UTF-8.' },
  'utf-16': { severity: 'warning', rule: 'The input is in UTF-8. UTF-16 is converted.' },
  'bad-gzip': {
    severity: 'error',
    rule: 'A gzip input is whole, nothing follows it, and beyond 256 MiB it unpacks to at most 200 times its size.',
  },
  'too-large': {
    severity: 'error',
    rule: 'A message has at most 32 MiB and four million objects and arrays.',
  },
  'bad-message': {
    severity: 'error',
    rule: "A message matches the schema of its revision: its method exists, is sent by that side, and params, result or error have the definition's shape.",
  },
  'bad-batch': {
    severity: 'error',
    rule: `Messages come in arrays in ${BATCHES} only, and no array is empty.`,
  },
  'result-and-error': {
    severity: 'error',
    rule: 'An answer has a result or an error, never both.',
  },
  'reused-id': {
    severity: 'error',
    rule: `A request has an id that its sender did not use before in the session; in ${STATELESS}, an id that no open request of the sender has.`,
  },
  'duplicate-answer': { severity: 'error', rule: 'A request is answered once.' },
  unasked: {
    severity: 'warning',
    rule: 'An answer has the id of a request. It is an error where the recording begins with `initialize`.',
  },
  'unknown-revision': {
    severity: 'error',
    rule: 'The protocol version is one of the bundled revisions.',
  },
  'no-revision': { severity: 'unclear', rule: 'Some message or `--revision` gives the revision.' },
  'no-sender': {
    severity: 'unclear',
    rule: 'The tag, the method or `--from` gives the sender.',
  },
  'no-messages': {
    severity: 'warning',
    rule: 'The input contains a message. It is an error where the input contains other lines.',
  },
  'undeclared-capability': {
    severity: 'error',
    rule: `A party uses only capabilities that were declared. It is a warning before ${STRICT_SINCE}, and for \`params.task\` of other requests than tools/call.`,
  },
  'reused-token': {
    severity: 'error',
    rule: 'A progress token belongs to one open request or live task of its sender.',
  },
  'unknown-token': {
    severity: 'warning',
    rule: 'Progress names a token that the other side gave. It is an error where the recording begins with `initialize`.',
  },
  'late-progress': {
    severity: 'error',
    rule: 'Progress stops when the request is answered or its task reaches a terminal status.',
  },
  'stuck-progress': { severity: 'error', rule: 'Each progress value is greater than the last.' },
  'bad-cancellation': {
    severity: 'error',
    rule: '`notifications/cancelled` names a request of the same sender: not `initialize`, and none that became a task.',
  },
  'no-client-info': {
    severity: 'warning',
    scope: STATELESS,
    rule: 'The client gives its name and version in the `_meta` of each request.',
  },
  'wrong-result-type': {
    severity: 'error',
    scope: STATELESS,
    rule: 'The result type is `complete`; for tools/call, prompts/get and resources/read also `input_required`; for tools/call also `task`, with the tasks extension. Other types need another extension.',
  },
  'empty-input-request': {
    severity: 'error',
    scope: STATELESS,
    rule: 'An `input_required` result has `inputRequests`, `requestState` or both.',
  },
  'no-subscription-id': {
    severity: 'error',
    scope: STATELESS,
    rule: 'A notification on a listen stream carries the subscription id in its `_meta`.',
  },
  'wrong-subscription-id': {
    severity: 'error',
    scope: STATELESS,
    rule: 'The subscription id is the id of a `subscriptions/listen` request. It is a warning for a notification, because that request may precede the recording.',
  },
  'early-notification': {
    severity: 'error',
    scope: STATELESS,
    rule: 'The acknowledgement is the first message of a subscription.',
  },
  'excess-acknowledgement': {
    severity: 'error',
    scope: STATELESS,
    rule: 'The acknowledgement contains nothing that the client did not request.',
  },
  'unrequested-notification': {
    severity: 'error',
    scope: STATELESS,
    rule: 'A listen stream carries only notifications that the client requested: no progress, no log messages, no other tasks.',
  },
  'undeclared-task': {
    severity: 'error',
    scope: TASKS,
    rule: `A task answers only a request that allows it: by \`params.task\` in ${CORE_REVISION}, by the extension in its own \`_meta\` in ${EXT_REVISION}.`,
  },
  'missing-refusal': {
    severity: 'error',
    scope: TASKS,
    rule: 'The server refuses a request that it must not serve: with -32021 a task request that does not declare the extension, with -32601 a call without a task of a tool that requires one. It is a warning for a call as a task of a tool that forbids tasks.',
  },
  'task-support': {
    severity: 'error',
    scope: CORE,
    rule: "A call follows the tool's `taskSupport`: with `params.task` where it is `required`, without where it is `forbidden` or absent.",
  },
  'foreign-field': {
    severity: 'warning',
    scope: TASKS,
    rule: `A task has the field names of its own dialect: \`ttl\`, \`pollInterval\` in ${CORE_REVISION}, \`ttlMs\`, \`pollIntervalMs\` in ${EXT_REVISION}.`,
  },
  'bad-timestamp': {
    severity: 'error',
    scope: TASKS,
    rule: '`createdAt` and `lastUpdatedAt` are dates and times as in RFC 3339.',
  },
  'excess-task-field': {
    severity: 'error',
    scope: EXT,
    rule: 'The answer that creates a task has no `task`, `content`, `result`, `error`, `inputRequests` or `requestState`.',
  },
  'reused-task-id': {
    severity: 'error',
    scope: TASKS,
    rule: 'Each task that is created has an id of its own.',
  },
  'wrong-task': {
    severity: 'error',
    scope: TASKS,
    rule: 'The answer to a task request is about the task that it names.',
  },
  'not-working': { severity: 'error', scope: CORE, rule: 'A task starts in `working`.' },
  'bad-transition': {
    severity: 'error',
    scope: TASKS,
    rule: 'Nothing follows a terminal status (`completed`, `failed`, `cancelled`) but itself.',
  },
  'not-cancelled': {
    severity: 'error',
    scope: CORE,
    rule: 'The answer to `tasks/cancel` shows the status `cancelled`.',
  },
  'cancelled-terminal': {
    severity: 'error',
    scope: CORE,
    rule: '`tasks/cancel` for a task in a terminal status gets the error -32602.',
  },
  'wrong-status': {
    severity: 'error',
    scope: CORE,
    rule: 'A task whose tool result has `isError: true` is `failed`.',
  },
  'no-related-task': {
    severity: 'error',
    scope: CORE,
    rule: 'The answer to `tasks/result`, and the answer to a request of a task, carry the related task in their `_meta`. It is a warning for the answer to a request, because the clients of both SDK versions leave it out.',
  },
  'needless-related-task': {
    severity: 'warning',
    scope: CORE,
    rule: 'Answers to tasks/get, tasks/list and tasks/cancel, and `notifications/tasks/status`, carry no related task.',
  },
  'reused-input-key': {
    severity: 'error',
    scope: EXT,
    rule: 'A key of `inputRequests` stands for one request during the life of a task.',
  },
  'repeated-input-response': {
    severity: 'warning',
    scope: EXT,
    rule: 'The client answers each key of `inputRequests` once.',
  },
} as const satisfies Record<string, Rule>;

export type FindingCode = keyof typeof FINDINGS;

export const RULES: Readonly<Record<FindingCode, Rule>> = FINDINGS;

/** A rule that a message breaks. */
export interface Breach {
  readonly code: FindingCode;
  /** What is wrong, then what to do. */
  readonly message: string;
  /** The path from the message to the invalid part. */
  readonly key: readonly (string | number)[];
  /** Set if it differs from the severity of the code. */
  readonly severity?: Severity;
}

export interface Finding {
  readonly file: string;
  /** The line at which the message begins, from 1. */
  readonly line: number;
  readonly severity: Severity;
  readonly code: FindingCode;
  /** One sentence. */
  readonly message: string;
  /** The JSON pointer (RFC 6901) in the JSON that begins on that line. */
  readonly pointer?: string;
  readonly expected?: string;
  readonly received?: string;
  /** The kind of the message. */
  readonly kind?: Kind;
  readonly method?: string;
  readonly from?: Party;
}

export type Kind = 'request' | 'notification' | 'response' | 'error';

const LONGEST = 200;

/** Untrusted text, cut. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const COLOURS = {
  error: 'red',
  unclear: 'yellow',
  warning: 'yellow',
} as const satisfies Record<Severity, keyof Paint>;

/** `trace.jsonl:12: error: /params/name: expected a string, received nothing (tools/call …)`. */
export function findingAsText(finding: Finding, paint: Paint): string {
  const { file, line, severity } = finding;
  const place = paint.bold(printable(`${file}:${String(line)}`));
  const colour = paint[COLOURS[severity]];
  const whose = paint.dim(printable(sayWhose(finding)));
  return `${place}: ${colour(severity)}: ${printable(sayWhat(finding))}${whose}\n`;
}

function sayWhat({ message, pointer, expected, received }: Finding): string {
  if (expected === undefined || received === undefined) return message;
  return `${pointer ? `${pointer}: ` : ''}expected ${expected}, received ${received}`;
}

function sayWhose({ kind, method, from }: Finding): string {
  if (kind === undefined) return '';
  const asks = kind === 'request' || kind === 'notification';
  const name = method === undefined ? kind : asks ? `${method} ${kind}` : `${kind} to ${method}`;
  return ` (${name}${from ? ` from the ${from}` : ''})`;
}
