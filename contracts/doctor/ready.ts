import { ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import { RESOURCE_NOT_FOUND } from '../../runtime/rules/messages.js';
import type { TaskClient } from '../../runtime/client/index.js';
import { at, isRecord } from '../validate/index.js';
import type { Protocols, Validators } from '../validate/index.js';
import { NEWEST } from './model.js';
import type { Found } from './model.js';
import type { Show } from './shown.js';
import type { Watch } from './watch.js';

/** Pages of the newest revision. */
const SPECIFICATION = `https://modelcontextprotocol.io/specification/${NEWEST}`;
const CHANGES = `${SPECIFICATION}/changelog`;

/** What takes the place of a method, and the requirements that say so. */
const INSTEAD: Readonly<Record<string, readonly [string, ...string[]]>> = {
  [METHODS.loggingSetLevel]: [
    'Each request names the level of its log messages in `_meta`.',
    'BASE-LOG-2',
  ],
  [METHODS.resourcesSubscribe]: [
    `Clients name resources in ${METHODS.subscriptionsListen}.`,
    'BASE-SUB-5',
  ],
  [METHODS.resourcesUnsubscribe]: [
    `Clients end the request ${METHODS.subscriptionsListen}.`,
    'BASE-SUB-5',
  ],
  [METHODS.tasksResult]: ['Tasks are an extension: tasks/get returns the result.', 'EXT-CAP-1'],
  [METHODS.tasksList]: ['Tasks are an extension, and are not listed.', 'EXT-CAP-1'],
  [METHODS.tasksGet]: ['Tasks are an extension.', 'EXT-CAP-1'],
  [METHODS.tasksCancel]: ['Tasks are an extension.', 'EXT-CAP-1'],
};

/** Requirements that say that a member of a result is there. */
const MEMBERS: Readonly<Record<string, string>> = {
  '/ttlMs': 'BASE-CACHE-1',
  '/cacheScope': 'BASE-CACHE-1',
  '/resultType': 'BASE-MSG-7',
};

/** Codes of errors that the newest revision does not have, and what takes their place. */
const OLD_CODES: ReadonlyMap<number, string> = new Map([
  [RESOURCE_NOT_FOUND, `An unknown resource is ${String(ERROR_CODES.InvalidParams)}.`],
  [ERROR_CODES.URLElicitationRequired, 'The server asks in an `input_required` result.'],
]);

type Report = (found: Omit<Found, 'section' | 'severity'>) => void;

/** What breaks in the newest revision, as far as a session of an older one shows it. */
export async function readiness(
  { revision, server, session }: TaskClient,
  watch: Watch,
  {
    protocols,
    show,
    report,
  }: { readonly protocols: Protocols; readonly show: Show; readonly report: Report },
): Promise<void> {
  const [now, then] = await Promise.all([
    load(protocols, String(revision)),
    load(protocols, NEWEST),
  ]);
  if (!now || !then) return;
  const handshake = [
    watch.refusals.get(METHODS.serverDiscover),
    watch.answers.get(METHODS.initialize),
  ].filter((message) => message !== undefined);
  report({
    code: 'needs-initialize',
    requirement: ['BASE-VER-1'],
    place: CHANGES,
    message: `Clients begin with ${METHODS.serverDiscover} or any request, each with its version and capabilities in \`_meta\`. The server answers only after ${METHODS.initialize}.`,
    evidence: handshake.map((message) => show(message)),
  });
  if (session) {
    report({
      code: 'needs-session',
      requirement: ['BASE-VER-1'],
      place: CHANGES,
      message:
        'There are no sessions: nothing that the server keeps may depend on `Mcp-Session-Id`.',
      evidence: ['Mcp-Session-Id in the answer to initialize'],
    });
  }
  if (watch.kind === 'sse') {
    const message = 'There is no transport HTTP+SSE: Streamable HTTP takes its place.';
    report({ code: 'needs-sse', place: CHANGES, message, evidence: ['GET opened the stream'] });
  }
  lostMethods(now, then, server.capabilities, (method) => {
    const [instead, ...requirement] = INSTEAD[method] ?? ['Nothing takes its place.'];
    const [feature = ''] = now.tables.requests[method]?.capabilities[0]?.path ?? [];
    report({
      code: 'lost-method',
      requirement,
      place: CHANGES,
      message: `There is no ${method}, which the server has by its capability \`${feature}\`. ${instead}`,
      evidence: [show({ capabilities: { [feature]: server.capabilities[feature] } })],
    });
  });
  for (const [method, message] of watch.asked) {
    const isQuestion = then.tables.requests[method]?.carrier === 'input';
    if (!isQuestion && isKnown(then, method)) continue;
    report({
      code: isQuestion ? 'server-request' : 'lost-method',
      ...(isQuestion && { requirement: ['BASE-MRTR-2'] }),
      place: CHANGES,
      message: isQuestion
        ? `Servers send no requests. The server asks ${method} in an \`input_required\` result, and the client repeats its request.`
        : `There is no ${method}, which the server sends.`,
      evidence: [show(message)],
    });
  }
  for (const [method, message] of watch.answers) lostShapes(method, message, then, show, report);
  for (const [code, instead] of OLD_CODES) {
    const message = watch.errors.get(code);
    if (!message) continue;
    const requirement = ['BASE-ERR-2'];
    const said = `No error has the code ${String(code)}. ${instead}`;
    report({
      code: 'lost-code',
      requirement,
      place: CHANGES,
      message: said,
      evidence: [show(message)],
    });
  }
}

async function load(protocols: Protocols, revision: string): Promise<Validators | undefined> {
  return await protocols.revisions[revision]?.();
}

function isKnown({ tables }: Validators, method: string): boolean {
  return Object.hasOwn(tables.requests, method) || Object.hasOwn(tables.notifications, method);
}

/** The methods that a server has by its capabilities, and the later revision does not have. */
function lostMethods(
  now: Validators,
  then: Validators,
  capabilities: object,
  onLost: (method: string) => void,
): void {
  for (const [method, { senders, capabilities: needed }] of Object.entries(now.tables.requests)) {
    const own = needed.filter(({ party }) => party === 'server');
    const isServed =
      senders.includes('client') &&
      own.length > 0 &&
      own.every(({ path }) => Boolean(at(capabilities, ...path)));
    if (isServed && !isKnown(then, method)) onLost(method);
  }
}

/** What a result lacks by its definition in the later revision. */
function lostShapes(
  method: string,
  message: Readonly<Record<string, unknown>>,
  then: Validators,
  show: Show,
  report: Report,
): void {
  const [definition] = then.tables.requests[method]?.results ?? [];
  if (definition === undefined || !isRecord(message['result'])) return;
  const verdict = then.definition(definition)?.(message['result'], { maxErrors: 20 });
  if (verdict === undefined || verdict.ok) return;
  for (const { pointer, expected } of verdict.errors) {
    const general = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    const requirement = MEMBERS[general];
    report({
      code: 'lost-shape',
      ...(requirement !== undefined && { requirement: [requirement] }),
      place: `${SPECIFICATION}/schema#${definition.toLowerCase()}`,
      message: `\`${general}\` of a result is ${expected}.`,
      evidence: [show(message, `/result${pointer}`)],
    });
  }
}
