import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Answered, type Asked, headerOf, type Side, textOf } from './exchange.js';
import { type Frames, framesOf, isComment } from './frames.js';
import { createPairs, type Pairs } from './names.js';

/**
 * Sends each request to two servers that should answer alike, and gives the client the answer of the leading one.
 *
 * - The following server gets the request in its own names of sessions and tasks.
 * - Status, headers and body are compared up to names and times. An event of a stream goes to the client when both
 *   servers have sent it, so the client's next request finds both in the same state.
 * - Both servers run their own handlers with their own timers. One may be a moment ahead, so a read of a task that
 *   differs is repeated on both until the answers agree.
 *
 * Comments of a stream depend on time, and are not compared. Nor is the `Date`.
 */
export interface Twin {
  readonly answer: Side;
  readonly compared: Compared;
  readonly differences: readonly Difference[];
}

/** What was compared. */
export interface Compared {
  requests: number;
  streams: number;
  events: number;
  /** Reads of a task that were repeated until both servers agreed. */
  repeated: number;
}

export interface Difference {
  readonly asked: string;
  readonly leading: string;
  readonly following: string;
}

export function describeDifference({ asked, leading, following }: Difference): string {
  return [asked, '--- leading', leading, '--- following', following].join('\n');
}

export interface TwinOptions {
  readonly leading: Side;
  readonly following: Side;
  /** Milliseconds that one server may be behind the other. */
  readonly patienceMs?: number;
}

/** Requests that change nothing. */
const READS = /"method":"tasks\/(?:get|list)"/;
const NOTHING = '(nothing)';
const ENDED = '(the end of the stream)';
const OPEN = '(a stream that stays open)';
const PAUSE_MS = 10;

export function createTwin({ leading, following, patienceMs = 5_000 }: TwinOptions): Twin {
  const pairs = createPairs();
  const compared: Compared = { requests: 0, streams: 0, events: 0, repeated: 0 };
  const differences: Difference[] = [];

  function report(asked: Asked, first: string, second: string): void {
    const body = asked.body.toString();
    const text = `${asked.method} ${asked.target}\n${headLines(asked.headers)}\n${body}`;
    differences.push({ asked: text, leading: first, following: second });
  }

  async function both(asked: Asked, signal: AbortSignal): Promise<readonly [Reply, Reply]> {
    const [first, second] = [
      leading(asked, signal).catch(() => undefined),
      following(translated(asked, pairs), signal).catch(() => undefined),
    ] as const;
    return [await first, await within(second, patienceMs)];
  }

  async function* relayed(asked: Asked, heads: Heads, signal: AbortSignal): AsyncGenerator<Buffer> {
    const streams = heads.map(({ body }) => framesOf(body)) as unknown as readonly [Frames, Frames];
    const [first, second] = streams;
    compared.streams += 1;
    try {
      let at = 0;
      let events = 0;
      for (; ; at += 1) {
        await first.until(() => first.all.length > at || first.ended);
        const frame = first.all[at];
        if (frame === undefined || isAnswer(frame, asked)) break;
        if (!isComment(frame)) {
          events += 1;
          await second.until(() => second.events.length >= events || second.ended, patienceMs);
          const other = second.events[events - 1] ?? NOTHING;
          if (!pairs.same(frame, other)) report(asked, frame, other);
        }
        yield Buffer.from(frame, 'latin1');
      }
      // A client that has its answer disconnects, so what follows is read before it gets the answer.
      const ended = streams.map((each) => each.until(() => each.ended, patienceMs));
      await Promise.all(ended);
      const [rest = '', otherRest = ''] = streams.map((each) => restOf(each, events));
      if (!signal.aborted && !pairs.same(rest, otherRest)) report(asked, rest, otherRest);
      compared.events += first.events.length;
      yield Buffer.from(first.all.slice(at).join(''), 'latin1');
    } finally {
      if (second.ended && !first.ended && !signal.aborted) report(asked, OPEN, ENDED);
      for (const { cancel } of heads) cancel();
    }
  }

  /** Answers that are read to their end before the client gets one. */
  async function whole(asked: Asked, heads: Heads, signal: AbortSignal): Promise<Answered> {
    const repeatUntil = READS.test(asked.body.toString()) ? Date.now() + patienceMs : 0;
    for (let times = 0, answers = heads; ; times += 1) {
      const [first, second] = await Promise.all(answers.map(({ body }) => textOf(body)));
      const texts = [headOf(answers[0]) + first, headOf(answers[1]) + second] as const;
      const same = pairs.same(...texts);
      if (same || Date.now() > repeatUntil) {
        if (!same) report(asked, ...texts);
        else if (times > 0) compared.repeated += 1;
        return { ...answers[0], body: Readable.from([Buffer.from(first ?? '', 'latin1')]) };
      }
      await sleep(PAUSE_MS);
      const [one, other] = await both(asked, signal);
      if (one === undefined || other === undefined)
        throw new Error('A repeated read has no answer');
      answers = [one, other];
    }
  }

  return {
    compared,
    differences,
    async answer(asked, signal) {
      compared.requests += 1;
      const [first, second] = await both(asked, signal);
      if (first === undefined || second === undefined) {
        if (first !== second && !signal.aborted) report(asked, headOf(first), headOf(second));
        if (first === undefined) throw new Error('There is no answer');
        return first;
      }
      if (![first, second].every(isStream)) return whole(asked, [first, second], signal);
      const texts = [headOf(first), headOf(second)] as const;
      if (!pairs.same(...texts)) report(asked, ...texts);
      return { ...first, body: relayed(asked, [first, second], signal) };
    },
  };
}

type Heads = readonly [Answered, Answered];
/** Undefined when the server closed the connection, or the client did. */
type Reply = Answered | undefined;

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const stop = new AbortController();
  const late = sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => stop.abort());
}

/** Whether a frame of a stream is the answer to the request. */
function isAnswer(frame: string, { body }: Asked): boolean {
  const answer = /^data: (.*)$/m.exec(frame)?.[1];
  if (answer === undefined || body.byteLength === 0) return false;
  const { method, id } = JSON.parse(answer) as { method?: string; id?: unknown };
  return method === undefined && id === (JSON.parse(body.toString()) as { id?: unknown }).id;
}

function restOf({ events, ended }: Frames, at: number): string {
  return events.slice(at).join('') + (ended ? ENDED : OPEN);
}

function isStream(answered: Answered): boolean {
  return headerOf(answered, 'content-type')?.startsWith('text/event-stream') === true;
}

function translated({ method, target, headers, body }: Asked, pairs: Pairs): Asked {
  const own = (text: string): string => pairs.translated(text);
  const text = Buffer.from(own(body.toString('latin1')), 'latin1');
  const length = (value: string, at: number): string =>
    headers[at - 1]?.toLowerCase() === 'content-length' ? String(text.byteLength) : own(value);
  return { method, target: own(target), headers: headers.map(length), body: text };
}

function headOf(answered: Reply): string {
  if (answered === undefined) return NOTHING;
  const { status, headers } = answered;
  return `${status}\n${headLines(headers)}\n\n`;
}

/** The length is that of the body, and the names in a body may be of other lengths. */
function headLines(headers: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? '';
    if (name === 'date') continue;
    lines.push(`${name}: ${name === 'content-length' ? '{length}' : headers[at + 1]}`);
  }
  return lines.sort().join('\n');
}
