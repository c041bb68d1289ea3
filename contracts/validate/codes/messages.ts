import type { Rule } from './rule.js';
import { BATCHES, SESSIONS, STATELESS, STRICT_SINCE } from './scopes.js';

/** Rules about messages, their ids, the handshake, cancellation, progress and pages. */
export const MESSAGES = {
  'bad-message': {
    severity: 'error',
    requirements: ['BASE-MSG-2'],
    rule: "A message matches the schema of its revision: its method exists, is sent by that side, and params, result or error have the definition's shape.",
  },
  'bad-batch': {
    severity: 'error',
    requirements: ['BASE-MSG-4'],
    rule: `Messages come in arrays in ${BATCHES} only, and no array is empty.`,
  },
  'batched-initialize': {
    severity: 'error',
    requirements: ['BASE-MSG-5'],
    scope: BATCHES,
    rule: '`initialize` is not in a batch.',
  },
  'result-and-error': {
    severity: 'error',
    requirements: ['BASE-MSG-3'],
    rule: 'An answer has a result or an error, never both.',
  },
  'reused-id': {
    severity: 'error',
    requirements: ['BASE-ID-2'],
    rule: `A request has an id that its sender did not use before in the session; in ${STATELESS}, an id that no open request of the sender has.`,
  },
  'duplicate-answer': {
    severity: 'error',
    requirements: ['BASE-ID-4'],
    rule: 'A request is answered once.',
  },
  unasked: {
    severity: 'warning',
    requirements: ['BASE-ID-3', 'BASE-MSG-6'],
    rule: 'An answer has the id of a request. It is an error where the recording begins with `initialize`.',
  },
  'reserved-error-code': {
    severity: 'error',
    requirements: ['BASE-ERR-1', 'BASE-ERR-2', 'BASE-ERR-3'],
    scope: STATELESS,
    rule: 'An error from -32099 to -32020 has a code that the protocol defines, and no error has -32002 or -32042 of older revisions. It is a warning for other codes that JSON-RPC reserves without a meaning.',
  },
  'bad-meta-key': {
    severity: 'error',
    requirements: ['BASE-META-1'],
    scope: `since ${STRICT_SINCE}`,
    rule: 'A key of `_meta` is a name, or a prefix of labels with dots between them, a slash and a name.',
  },
  'bad-trace-context': {
    severity: 'error',
    requirements: ['BASE-META-2'],
    scope: STATELESS,
    rule: '`traceparent` in `_meta` is as in W3C Trace Context.',
  },
  'unknown-revision': {
    severity: 'error',
    requirements: ['BASE-LIFE-5'],
    rule: 'The protocol version is one of the bundled revisions.',
  },
  'early-request': {
    severity: 'warning',
    requirements: ['BASE-LIFE-2', 'BASE-LIFE-3'],
    scope: SESSIONS,
    rule: 'Until `initialize` is answered, the client sends no request but pings, and neither does the server until `notifications/initialized`.',
  },
  'early-initialized': {
    severity: 'error',
    requirements: ['BASE-LIFE-4'],
    scope: SESSIONS,
    rule: '`notifications/initialized` follows the answer to `initialize`.',
  },
  'no-initialized': {
    severity: 'error',
    requirements: ['BASE-LIFE-4'],
    scope: SESSIONS,
    rule: 'The client sends `notifications/initialized` before its requests. It is reported with its second request, because messages over HTTP may overtake each other.',
  },
  'wrong-versions': {
    severity: 'error',
    requirements: ['BASE-VER-2'],
    scope: STATELESS,
    rule: 'The versions that a server names agree with its answer: it answers `server/discover` in a version that it lists, and refuses with -32022 a version that it does not list.',
  },
  'undeclared-capability': {
    severity: 'error',
    requirements: ['BASE-CAP-1', 'BASE-CAP-2', 'BASE-ELI-1', 'BASE-SAMP-1', 'CORE-CAP-5'],
    rule: `A party uses only capabilities that were declared. It is a warning before ${STRICT_SINCE}, for \`params.task\` of other requests than tools/call, and for \`includeContext\`.`,
  },
  'bad-cancellation': {
    severity: 'error',
    requirements: ['BASE-CANCEL-1', 'BASE-CANCEL-2', 'CORE-CAN-3', 'EXT-CAN-2'],
    rule: '`notifications/cancelled` names a request of the same sender: not `initialize`, and none that became a task.',
  },
  'server-cancellation': {
    severity: 'error',
    requirements: ['BASE-CANCEL-3'],
    scope: STATELESS,
    rule: 'The server cancels no request of the client but `subscriptions/listen`.',
  },
  'reused-token': {
    severity: 'error',
    requirements: ['BASE-PROG-1'],
    rule: 'A progress token belongs to one open request or live task of its sender.',
  },
  'unknown-token': {
    severity: 'warning',
    requirements: ['BASE-PROG-2'],
    rule: 'Progress names a token that the other side gave. It is an error where the recording begins with `initialize`.',
  },
  'late-progress': {
    severity: 'error',
    requirements: ['BASE-PROG-4', 'CORE-PRG-1'],
    rule: 'Progress stops when the request is answered or its task reaches a terminal status.',
  },
  'stuck-progress': {
    severity: 'error',
    requirements: ['BASE-PROG-3'],
    rule: 'Each progress value is greater than the last.',
  },
  'unknown-cursor': {
    severity: 'error',
    requirements: ['BASE-PAGE-1', 'CORE-LST-1'],
    scope: SESSIONS,
    rule: 'A cursor comes from an answer to the same method in the session. It is checked where the recording begins with `initialize`.',
  },
  'repeated-cursor': {
    severity: 'warning',
    requirements: ['BASE-PAGE-2'],
    rule: 'The cursor of the next page is not the one of this page, because such a list never ends.',
  },
  'mixed-cache-scope': {
    severity: 'error',
    requirements: ['BASE-CACHE-2'],
    scope: STATELESS,
    rule: 'All pages of a list have the same `cacheScope`.',
  },
} as const satisfies Record<string, Rule>;
