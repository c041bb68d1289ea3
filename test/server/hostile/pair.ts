import { nextMillisecond } from '../pipes.js';
import { createPairs } from './names.js';
import { brokenRule, isEvents } from './rules.js';
import { bytesOf, type HostileRequest } from './request.js';
import type { Target } from './target.js';
import { eventually, type Wire, type WireAnswer, wireTo } from './wire.js';

/** What a sequence does, one step after the other. */
export type Step =
  /** Sends requests on a connection, one behind the other. */
  | {
      readonly kind: 'ask';
      readonly slot: number;
      readonly requests: readonly HostileRequest[];
      /** Where the bytes are cut, as shares of their number. */
      readonly cuts: readonly number[];
      /** Whether nothing more will be sent. */
      readonly end: boolean;
    }
  /** Sends a part of a request, then disconnects. */
  | { readonly kind: 'break'; readonly request: HostileRequest; readonly share: number }
  /** Disconnects. */
  | { readonly kind: 'leave'; readonly slot: number };

/** Two servers that get the same bytes, up to the names of their tasks and sessions. */
export interface Pair {
  /** Begins a session, does the steps, disconnects, and ends the sessions. Throws at the first difference. */
  run(steps: readonly Step[]): Promise<void>;
}

type Two<T> = readonly [T, T];

/** Milliseconds after which a server waits for more of a body. */
const SILENCE_MS = 200;
const PATIENCE_MS = 3_000;

/** What is compared of the answers on a connection. */
export type Show = (answers: readonly WireAnswer[], isClosed: boolean) => string;

/** What else has to hold for the answers to requests: the text of what does not. */
export type Rule = (
  answers: readonly WireAnswer[],
  requests: readonly HostileRequest[],
) => string | undefined;

export function pairOf(targets: Two<Target>, show: Show, rule: Rule = () => undefined): Pair {
  const pairs = createPairs();
  const two = <T>(make: (target: Target, at: 0 | 1) => T): Two<T> => [
    make(targets[0], 0),
    make(targets[1], 1),
  ];
  let slots = new Map<number, Two<Wire>>();
  let open: Two<Wire>[] = [];
  let lastId = 1_000;

  function wiresOf(slot: number): Two<Wire> {
    const known = slots.get(slot);
    if (known !== undefined) return known;
    const wires = two(({ url }) => wireTo(url));
    slots.set(slot, wires);
    open.push(wires);
    return wires;
  }

  async function ask({ slot, requests, cuts, end }: Step & { kind: 'ask' }): Promise<void> {
    const wires = wiresOf(slot);
    const before = two(({ events }, at) => [wires[at].answers.length, events.length] as const);
    const numbered = requests.map((request) => withId(request, (lastId += 1)));
    const sent = two(({ fill }) => Buffer.concat(numbered.map((each) => bytesOf(each, fill))));
    const methods = requests.map(({ method }) => method);
    await Promise.all(two((_, at) => wires[at].send(cut(sent[at], cuts), methods)));
    if (end) for (const wire of wires) wire.end();

    const fresh = (at: 0 | 1): readonly WireAnswer[] => wires[at].answers.slice(before[at][0]);
    const isSettled = (): boolean =>
      two((_, at) => wires[at].closed || isComplete(fresh(at), requests.length)).every(Boolean);
    if (!(await eventually(isSettled, SILENCE_MS))) {
      for (const wire of wires) wire.end();
      await eventually(isSettled, PATIENCE_MS);
    }
    /**
     * A server that does not read a body answers nothing behind it, where another host reads it. Node closes a connection
     * whose client has ended it, so that an answer which was not begun by then is lost.
     */
    const compared = (): number => {
      const ends = two((_, at) => {
        const final = finalOf(fresh(at));
        const last = final.findIndex(isLast) + 1;
        const count = last === 0 ? requests.length : last;
        return end && wires[at].closed ? Math.min(count, final.length) : count;
      });
      return Math.min(...ends);
    };
    const texts = (): Two<string> => {
      const count = compared();
      return two(({ events }, at) =>
        [
          show(finalOf(fresh(at)).slice(0, count), wires[at].closed),
          // Requests that follow each other at once run at the same time.
          ...(count < requests.length ? [] : events.slice(before[at][1]).sort()),
        ].join('\n'),
      );
    };
    const isSame = await eventually(() => pairs.same(...texts()));
    const [text, other] = texts();
    const problem = isSame
      ? ((await brokenRule(numbered, fresh(0), wires[0])) ?? rule(fresh(0), numbered))
      : `The other server answers otherwise:\n${other}`;
    if (problem !== undefined) {
      throw new Error([sent[0].toString('latin1'), '---', text, '---', problem].join('\n'));
    }
    two(({ names }, at) => learn(names, texts()[at]));
    const last = fresh(0).at(-1);
    if (last?.whole === false) for (const { names } of targets) names.set('open', String(lastId));
    if (end || !last?.whole || isLast(last)) slots.delete(slot);
  }

  async function breakOff({ request, share }: Step & { kind: 'break' }): Promise<void> {
    await Promise.all(
      targets.map(async ({ url, fill }) => {
        const wire = wireTo(url);
        const bytes = bytesOf(request, fill);
        await wire.send([bytes.subarray(0, Math.floor(share * bytes.length))], []);
        wire.break();
      }),
    );
  }

  return {
    async run(steps) {
      slots = new Map();
      open = [];
      await Promise.all(two(({ finish, fill }) => finish(fill('{session}'))));
      const sessions = await Promise.all(two(({ begin }) => begin()));
      two(({ names }, at) => {
        const { sessionId } = sessions[at] as { readonly sessionId: string };
        names.set('session', sessionId).set('SESSION', sessionId.toUpperCase());
      });
      pairs.same(...two(({ fill }) => fill('{session}')));
      for (const step of steps) {
        await nextMillisecond();
        if (step.kind === 'ask') await ask(step);
        if (step.kind === 'break') await breakOff(step);
        if (step.kind === 'leave') {
          slots.get(step.slot)?.forEach((wire) => wire.break());
          slots.delete(step.slot);
        }
      }
      const begun = two((_, at) => open.flatMap((wires) => sessionsIn(wires[at].answers)));
      for (const wires of open) for (const wire of wires) wire.break();
      await Promise.all(two(({ finish }, at) => Promise.all(begun[at].map(finish))));
    },
  };
}

function learn(names: Map<string, string>, text: string): void {
  const task = /"taskId":"([\w-]{36})"/.exec(text)?.[1];
  const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
  if (task !== undefined) names.set('task', task);
  if (cursor !== undefined) names.set('cursor', cursor);
}

/** The same request with an id of its own. */
export function withId(request: HostileRequest, id: number): HostileRequest {
  const body = request.body
    .replace(/"id":7(?=[,}])/, `"id":${id}`)
    .replace(/"requestId":7(?=[,}])/, '"requestId":{open}');
  return { ...request, body };
}

function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
}

/** Without the headers that frame a body, which are those of the host. */
export const withoutFraming: Show = (answers) => {
  const texts = answers.map((answer) => {
    const lines = answer.headers.map((line) =>
      line.replace(/^[^:]+/, (name) => name.toLowerCase()),
    );
    const own = lines.filter((line) => !FRAMING.test(line));
    return [...own.sort(), '', bodyOf(answer)].join('\n');
  });
  return texts.join('\n');
};

const FRAMING = /^(?:date|content-length|transfer-encoding|connection|keep-alive):/;

/** Status and body, for servers that have other headers. */
export const statusAndBody: Show = (answers) => answers.map(bodyOf).join('\n');

function bodyOf({ status, headers, body, whole }: WireAnswer): string {
  const text = isEvents(headers) ? body.replace(/^:.*\n\n/gm, '') : body;
  return [String(status), text, whole ? '(whole)' : '(more)'].join('\n');
}

/** The sessions that these answers began. */
export function sessionsIn(answers: readonly WireAnswer[]): string[] {
  const ids = answers.flatMap(({ headers }) =>
    headers.flatMap((line) => /^mcp-session-id: (.*)$/i.exec(line)?.[1] ?? []),
  );
  return [...new Set(ids)];
}

/** Without those that only say that a request may go on. */
function finalOf(answers: readonly WireAnswer[]): readonly WireAnswer[] {
  return answers.filter(({ status }) => status >= 200);
}

/** Whether each request has its answer, or the last a stream that goes on. */
function isComplete(answers: readonly WireAnswer[], requests: number): boolean {
  const final = finalOf(answers);
  const last = final.at(-1);
  if (last === undefined) return false;
  return last.whole ? final.length >= requests : isEvents(last.headers);
}

/** Whether no other answer follows on the connection. */
function isLast({ headers }: WireAnswer): boolean {
  return headers.some((line) => /^connection: close$/i.test(line));
}
