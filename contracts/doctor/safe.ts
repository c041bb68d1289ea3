import { METHODS, REVISIONS } from '../../runtime/protocol.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import { challengeIn } from '../../runtime/client/index.js';
import { quote } from '../../json-schema/text.js';
import { at, isRecord } from '../validate/index.js';
import { asked, exchange, opening } from './http.js';
import type { Reply, Sending } from './http.js';
import type { Found } from './model.js';
import type { Show } from './shown.js';

/** A server that is asked over HTTP. */
export interface Exposed {
  readonly url: string;
  /** What identifies the caller. */
  readonly headers: Readonly<Record<string, string>>;
  /** The newest that it accepts, and the newest with sessions. Undefined where it refused the caller. */
  readonly revision: RevisionVersion | undefined;
  readonly sessions: RevisionVersion | undefined;
  /** Milliseconds for an answer. */
  readonly patience: number;
  readonly report: (found: Omit<Found, 'section'>) => void;
  readonly show: Show;
}

const FOREIGN = 'doctor.mcp-codegen.invalid';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** What the server tells unidentified callers, pages of other sites, and who has another's session. */
export async function judgeExposure(exposed: Exposed): Promise<string> {
  const who = await unidentified(exposed);
  const { revision, sessions } = exposed;
  if (revision !== undefined) await foreignPages(exposed, revision);
  if (sessions !== undefined) await judgeSessions(exposed, sessions);
  return who;
}

const isLocal = ({ url }: Exposed): boolean => LOOPBACK.test(new URL(url).hostname);

const send = (
  { url, headers, patience }: Exposed,
  sending: Sending,
  isIdentified = true,
): Promise<Reply | undefined> =>
  exchange(
    url,
    { ...sending, headers: { ...(isIdentified && headers), ...sending.headers } },
    patience,
  );

/** What a caller gets that sends no token. The result is a clause. */
async function unidentified(exposed: Exposed): Promise<string> {
  const { revision = REVISION_OF_STRANGERS } = exposed;
  const reply = await send(exposed, opening(revision), false);
  if (reply === undefined) return 'an unidentified caller gets no answer';
  if (reply.status === 401) {
    await challenge(exposed, reply);
    return 'an unidentified caller is refused';
  }
  if (reply.status >= 300 || !isRecord(at(reply.body, 'result'))) {
    return `an unidentified caller gets HTTP ${String(reply.status)}`;
  }
  const session = reply.header('mcp-session-id');
  const tools = await toolsOf(exposed, revision, session);
  if (session !== undefined) await end(exposed, session, revision, false);
  if (tools === undefined) return 'an unidentified caller gets no tools';
  const said = `anybody who reaches it can list ${String(tools)} tools`;
  if (!isLocal(exposed) && tools > 0) {
    exposed.report({
      severity: 'note',
      code: 'open-to-all',
      message: `The server answers callers without a token: ${said}.`,
      evidence: [`POST ${METHODS.toolsList} without Authorization → ${String(tools)} tools`],
    });
  }
  return said;
}

/** A server that refuses the caller refuses this one as well. */
const REVISION_OF_STRANGERS = (Object.keys(REVISIONS) as RevisionVersion[]).find(
  (each) => REVISIONS[each].dialect === 'core',
) as RevisionVersion;

async function toolsOf(
  exposed: Exposed,
  revision: RevisionVersion,
  session: string | undefined,
): Promise<number | undefined> {
  const own = session === undefined ? {} : { 'mcp-session-id': session };
  const post = ({ headers, message }: Required<Pick<Sending, 'headers' | 'message'>>) =>
    send(exposed, { headers: { ...headers, ...own }, message }, false);
  if (REVISIONS[revision].dialect === 'core') {
    const { headers } = asked(revision, METHODS.ping);
    const message = { jsonrpc: '2.0', method: METHODS.notificationsInitialized };
    await post({ headers, message });
  }
  const tools = at((await post(asked(revision, METHODS.toolsList)))?.body, 'result', 'tools');
  return Array.isArray(tools) ? tools.length : undefined;
}

/** A refusal leads to the metadata of the resource, which names it (RFC 9728). */
async function challenge(exposed: Exposed, reply: Reply): Promise<void> {
  const { url, report, patience, show } = exposed;
  const header = reply.header('www-authenticate');
  const headers = new Headers(header === undefined ? {} : { 'www-authenticate': header });
  const { resourceMetadataUrl } = challengeIn({ headers });
  const named = resourceMetadataUrl?.href ?? 'no resource_metadata';
  const evidence = [show(`POST without Authorization → HTTP 401, which names ${named}`)];
  const { origin, pathname } = new URL(url);
  const wellKnown = '/.well-known/oauth-protected-resource';
  const path = pathname.replace(/\/$/, '');
  const places = resourceMetadataUrl
    ? [resourceMetadataUrl.href]
    : [`${origin}${wellKnown}${path}`, `${origin}${wellKnown}`];
  const of = { severity: 'error', code: 'bad-metadata' } as const;
  if (header === undefined) {
    const message = 'The refusal of a caller without a token has no `WWW-Authenticate`.';
    report({ ...of, code: 'no-challenge', message, evidence });
  }
  for (const place of places) {
    const document = await exchange(place, { method: 'GET' }, patience);
    if (document?.status !== 200) continue;
    const shown = [...evidence, show(`GET ${place} → ${JSON.stringify(document.body ?? null)}`)];
    const problem = problemOf(url, document.body);
    if (problem !== undefined) report({ ...of, message: problem, evidence: shown });
    return;
  }
  const where = places.map(quote).join(' or ');
  const message = `Clients cannot find where to get a token: there is no metadata of the resource at ${where}.`;
  report({ ...of, code: 'no-metadata', message, evidence });
}

function problemOf(url: string, document: unknown): string | undefined {
  if (!isRecord(document)) return 'The metadata of the resource is not a JSON object.';
  const { resource, authorization_servers: servers } = document;
  if (typeof resource !== 'string' || !URL.canParse(resource)) {
    return 'The metadata of the resource has no `resource`.';
  }
  const [named, own] = [new URL(resource), new URL(url)];
  const slash = (path: string): string => path.replace(/\/?$/, '/');
  if (named.origin !== own.origin || !slash(own.pathname).startsWith(slash(named.pathname))) {
    return `The metadata of the resource is for ${quote(resource)}, not for ${quote(own.origin + own.pathname)}.`;
  }
  const isList = Array.isArray(servers) && servers.length > 0;
  return isList ? undefined : 'The metadata of the resource names no `authorization_servers`.';
}

/** Requests that a page of another site can make: with its `Origin`, and by a name that it made lead to the server. */
async function foreignPages(exposed: Exposed, revision: RevisionVersion): Promise<void> {
  const first = opening(revision);
  const attempt = async (headers: Readonly<Record<string, string>>): Promise<boolean> => {
    const reply = await send(exposed, { ...first, headers: { ...first.headers, ...headers } });
    const session = reply?.header('mcp-session-id');
    if (session !== undefined) await end(exposed, session, revision);
    return reply !== undefined && reply.status < 300 && isRecord(at(reply.body, 'result'));
  };
  const origin = `https://${FOREIGN}`;
  const takesOrigin = await attempt({ origin });
  const where = isLocal(exposed) ? ' Any page in a browser of this machine can use it.' : '';
  if (takesOrigin) {
    exposed.report({
      severity: isLocal(exposed) ? 'error' : 'warning',
      code: 'foreign-origin',
      message: `The server answers requests with an \`Origin\` that is not its own.${where}`,
      evidence: [`POST ${exposed.url} with Origin: ${origin} → result`],
    });
  }
  if (isLocal(exposed) && (await attempt({ host: FOREIGN }))) {
    exposed.report({
      severity: takesOrigin ? 'error' : 'warning',
      code: 'foreign-host',
      message:
        'The server answers requests with a `Host` that is not its own, so DNS rebinding may reach it.',
      evidence: [`POST ${exposed.url} with Host: ${FOREIGN} → result`],
    });
  }
}

async function end(
  exposed: Exposed,
  session: string,
  revision: RevisionVersion,
  isIdentified = true,
): Promise<number | undefined> {
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': revision };
  return (await send(exposed, { method: 'DELETE', headers }, isIdentified))?.status;
}

/** Characters of an id that cannot be guessed. */
const SHORTEST_ID = 16;

async function judgeSessions(exposed: Exposed, revision: RevisionVersion): Promise<void> {
  const open = async (): Promise<string | undefined> =>
    (await send(exposed, opening(revision)))?.header('mcp-session-id');
  const [one, other] = [await open(), await open()];
  if (one === undefined || other === undefined) return;
  judgeIds(exposed, one, other);
  const unknown = `${one.slice(0, -1)}${one.endsWith('0') ? '1' : '0'}`;
  const status = (session: string): Promise<number | undefined> =>
    statusIn(exposed, revision, session);
  const shown = (what: string, got: number | undefined): string[] => [
    `POST ${METHODS.ping} with ${what} → HTTP ${String(got)}`,
  ];
  const asUnknown = await status(unknown);
  if (asUnknown !== undefined && asUnknown < 300) {
    exposed.report({
      severity: 'error',
      code: 'unknown-session',
      message: 'The server accepts a session id that it did not issue.',
      evidence: shown('an id that differs in its last character', asUnknown),
    });
  }
  const ended = await end(exposed, one, revision);
  const after = ended !== undefined && ended < 300 ? await status(one) : undefined;
  if (after !== undefined && after < 300) {
    exposed.report({
      severity: 'error',
      code: 'ended-session',
      message: 'The server accepts the id of a session that was ended.',
      evidence: shown(`an id after DELETE → HTTP ${String(ended)}`, after),
    });
  } else if (after !== undefined && after !== 404) {
    exposed.report({
      severity: 'warning',
      code: 'ended-session',
      message: `The server refuses a session that was ended with HTTP ${String(after)}. Clients open another one at 404 only.`,
      evidence: shown('an id after DELETE', after),
    });
  }
  await end(exposed, other, revision);
}

async function statusIn(
  exposed: Exposed,
  revision: RevisionVersion,
  session: string,
): Promise<number | undefined> {
  const { headers, message } = asked(revision, METHODS.ping);
  const own = { ...headers, 'mcp-session-id': session };
  const reply = await send(exposed, { headers: own, message });
  const isError = isRecord(at(reply?.body, 'error'));
  return isError && reply?.status === 200 ? undefined : reply?.status;
}

function judgeIds({ report, show }: Exposed, one: string, other: string): void {
  const evidence = [show(`Mcp-Session-Id: ${masked(one)}, then ${masked(other)}`)];
  const of = { severity: 'error', code: 'session-id', evidence } as const;
  if (!/^[\x21-\x7e]+$/.test(one)) {
    report({ ...of, message: 'A session id has characters that are not visible ASCII.' });
  }
  if (one === other) report({ ...of, message: 'Two sessions have the same id.' });
  else if (isCounter(one, other)) {
    report({ ...of, message: 'Session ids can be guessed: two differ by a count.' });
  } else if (Math.min(one.length, other.length) < SHORTEST_ID) {
    const message = `Session ids can be guessed: they have fewer than ${String(SHORTEST_ID)} characters.`;
    report({ ...of, message });
  }
}

/** Whether two ids are the same but for one number, which is nearly the same. */
function isCounter(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let last = 0;
  const most = Math.min(one.length, other.length) - start;
  while (last < most && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  const [a, b] = [one, other].map((id) => id.slice(start, id.length - last));
  return a !== undefined && b !== undefined && a.length <= MOST_COUNTED && b.length <= MOST_COUNTED;
}

/** Characters in which two counted ids differ. Random ones of this length differ in more. */
const MOST_COUNTED = 4;

/** An id is a secret: of a long one, its beginning is shown. */
const masked = (id: string): string =>
  id.length < SHORTEST_ID ? id : `${id.slice(0, 4)}… (${String(id.length)} characters)`;
