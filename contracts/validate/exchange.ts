import type { Party } from './direction.js';
import { textInBase64 } from './bytes.js';
import { isRecord } from './access.js';
import type { Path } from './access.js';

/** What a recording contains beside a message, as it is written there. */
export interface RecordedWith {
  /** A date and time, a number of seconds or a part thereof since 1970, or a text that begins with a time. */
  readonly time?: unknown;
  readonly session?: unknown;
  /** JSON Pointers to the values of the message that stand for secrets. */
  readonly masked?: unknown;
}

/** A message as text or as a value, in a file that records exchanges. */
export interface Recorded {
  readonly message: unknown;
  readonly from: Party;
  readonly path: Path;
  readonly record?: RecordedWith;
}

/** A body that is not JSON-RPC. */
interface Other {
  readonly skipped: 'body';
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The messages of a HAR file (bodies of requests and responses), or of a record with a request and its
 * response, as the MCP Inspector keeps them. Undefined for other values. `place` is the record's own.
 */
export function recordedIn(
  value: Fields,
  place: string,
): readonly (Recorded | Other)[] | undefined {
  const { log } = value;
  if (isRecord(log) && Array.isArray(log['entries'])) return log['entries'].flatMap(entryOf);
  return 'request' in value ? exchangeOf(value, place) : undefined;
}

/** The bodies of one request over HTTP. */
function entryOf(entry: unknown, index: number): (Recorded | Other)[] {
  const at = ['log', 'entries', index];
  if (!isRecord(entry)) return [];
  const { request, response } = entry;
  const sent = isRecord(request) && isRecord(request['postData']) ? request['postData'] : {};
  const received = isRecord(response) && isRecord(response['content']) ? response['content'] : {};
  const session = sessionIn(request) ?? sessionIn(response);
  const [begin, end] = timesOf(entry);
  const answers = bodyOf(received, 'server', [...at, 'response', 'content', 'text']);
  return [
    ...bodyOf(sent, 'client', [...at, 'request', 'postData', 'text']).map((each) => ({
      ...each,
      record: { time: begin, session },
    })),
    // A stream ends with its last event; the times of the others are not recorded.
    ...answers.map((each, index) => ({
      ...each,
      record: { time: index === answers.length - 1 ? end : undefined, session },
    })),
  ];
}

/** When the request was sent, and when its response was complete. */
function timesOf({ startedDateTime, time }: Fields): [unknown, unknown] {
  const begin = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN;
  if (!Number.isFinite(begin)) return [undefined, undefined];
  return [begin, typeof time === 'number' && time >= 0 ? begin + time : undefined];
}

function sessionIn(part: unknown): unknown {
  const headers = isRecord(part) && Array.isArray(part['headers']) ? part['headers'] : [];
  const header = headers.find(
    (each) => isRecord(each) && /^mcp-session-id$/i.test(String(each['name'])),
  ) as Fields | undefined;
  return header?.['value'];
}

function bodyOf({ text, encoding }: Fields, from: Party, path: Path): (Recorded | Other)[] {
  if (typeof text !== 'string') return [];
  const body = encoding === 'base64' ? textInBase64(text) : text;
  return eventsIn(body)
    .filter((event) => event.trim() !== '')
    .map((message) =>
      message.includes('"jsonrpc"') ? { message, from, path } : { skipped: 'body' },
    );
}

const LINE_END = /\r\n|\r|\n/;

/** The data of each event of a stream (server-sent events); another text as it is. */
function eventsIn(body: string): string[] {
  if (!/^(?:data|event|id|retry)?:/m.test(body) || /^\s*[[{]/.test(body)) return [body];
  const lines = body
    .replace(/^\ufeff/, '')
    .split(LINE_END)
    .join('\n');
  return lines.split(/\n\n+/).map((event) =>
    event
      .split('\n')
      .flatMap((each) => /^data: ?(.*)$/.exec(each)?.[1] ?? [])
      .join('\n'),
  );
}

/** Without an envelope, as the Inspector shows them, both get one: their order pairs them. */
function exchangeOf(
  { request, response }: Fields,
  place: string,
): readonly (Recorded | Other)[] | undefined {
  const sent = valueOf(request);
  if (!isRecord(sent) || typeof sent['method'] !== 'string') return undefined;
  const received = valueOf(response);
  const id = `exchange ${place}`;
  const answer =
    isRecord(received) && !('jsonrpc' in received)
      ? { jsonrpc: '2.0', id: sent['id'] ?? id, result: received }
      : received;
  const asked = 'jsonrpc' in sent ? sent : { jsonrpc: '2.0', id, ...sent };
  return [{ message: asked, from: 'client', path: ['request'] }, ...answerOf(answer)];
}

/** Other texts are what a client shows of a failure. */
function answerOf(message: unknown): (Recorded | Other)[] {
  if (message === undefined || message === null || message === '') return [];
  if (typeof message === 'string' && !/^\s*[[{]/.test(message)) return [{ skipped: 'body' }];
  return [{ message, from: 'server', path: ['response'] }];
}

function valueOf(recorded: unknown): unknown {
  if (typeof recorded !== 'string') return recorded;
  try {
    return JSON.parse(recorded) as unknown;
  } catch {
    // The message is reported as not JSON.
    return recorded;
  }
}
