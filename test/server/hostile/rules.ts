import type { HostileRequest } from './request.js';
import { BEFORE_NODE_CLOSES, eventually, type Wire, type WireAnswer } from './wire.js';

/** The rule that a server broke when it gave these answers to these requests. */
export async function brokenRule(
  requests: readonly HostileRequest[],
  answers: readonly WireAnswer[],
  wire: Wire,
): Promise<string | undefined> {
  const final = answers.filter(({ status }) => status >= 200);
  const extra = final.slice(requests.length);
  const refused = (final[requests.length - 1]?.status ?? 0) >= 400;
  if (extra.length > 1 || !extra.every((answer) => refused && isOfNode(answer))) {
    return 'There are more answers than requests';
  }
  if (final.some(({ status }) => status >= 500)) return 'The server failed';
  if (final.some((answer) => !isWellFormed(answer))) return 'The answer is not JSON';
  const last = final.at(-1);
  const asked = requests[final.length - 1];
  if (last?.whole !== true || asked === undefined || !asksToClose(asked)) return undefined;
  const isClosed = await eventually(() => wire.closed, BEFORE_NODE_CLOSES);
  return isClosed ? undefined : 'The connection stays open';
}

/** Node's to a body that breaks off, or is none, after the request was refused for its head. */
function isOfNode({ status, headers, body }: WireAnswer): boolean {
  return status === 400 && headers.join() === 'Connection: close' && body === '';
}

export function isEvents(headers: readonly string[]): boolean {
  return headers.some((line) => /^content-type: text\/event-stream/i.test(line));
}

function isWellFormed({ headers, body, whole }: WireAnswer): boolean {
  const isJson = headers.some((line) => /^content-type: application\/json/i.test(line));
  if (!isJson || !whole || body === '') return true;
  try {
    JSON.parse(Buffer.from(body, 'latin1').toString());
    return true;
  } catch {
    return false;
  }
}

function asksToClose({ version, headers }: HostileRequest): boolean {
  return (
    version === 'HTTP/1.0' ||
    headers.some(([name, value]) => name === 'Connection' && value === 'close')
  );
}
