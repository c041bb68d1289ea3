import type { Line, Message } from './recording.js';

/** Numbers from 0 to 1 that are the same in every run. */
export function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Place {
  readonly parent: Message | unknown[];
  readonly key: string | number;
}

function placesIn(value: unknown, into: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return into;
  const parent = value as Message;
  for (const key of Object.keys(parent)) {
    into.push({ parent, key });
    placesIn(parent[key], into);
  }
  return into;
}

function objectsIn(value: unknown): Message[] {
  const inner = placesIn(value).map(({ parent, key }) => (parent as Message)[key]);
  return [value, ...inner].filter(
    (each): each is Message => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Message).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
}

type Pick = <T>(from: readonly T[]) => T;

interface Bench {
  readonly lines: Line[];
  /** The line that is changed. */
  readonly at: number;
  readonly pick: Pick;
  /** Recordings of every kind. */
  readonly all: readonly (readonly Line[])[];
}

const STRANGE = ['mutated', 7, true, [], {}, ''];
const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
const TYPES = ['complete', 'input_required', 'task', 'other'];

function messageAt({ lines, at }: Bench): Message {
  return lines[at]?.message ?? {};
}

/** A place in the changed message whose key is this one, or any. */
function place({ lines, at, pick }: Bench, key?: string): Place | undefined {
  const places = placesIn(lines[at]?.message).filter(
    (each) => key === undefined || each.key === key,
  );
  return places.length > 0 ? pick(places) : undefined;
}

function set(found: Place | undefined, value: unknown): void {
  if (found) (found.parent as Message)[found.key] = value;
}

function drop(found: Place | undefined): void {
  if (found && Array.isArray(found.parent)) found.parent.splice(Number(found.key), 1);
  else if (found) delete (found.parent as Message)[found.key];
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Ways to change a recording. Those under `legal` break no rule. */
export const MUTATIONS: Readonly<Record<string, (bench: Bench) => void>> = {
  'drop key': (bench) => drop(place(bench)),
  'change type': (bench) => set(place(bench), bench.pick(STRANGE)),
  'change text': (bench) => {
    const texts = placesIn(messageAt(bench)).filter(
      ({ parent, key }) => typeof (parent as Message)[key] === 'string',
    );
    if (texts.length > 0) set(bench.pick(texts), 'mutated');
  },
  'swap method': (bench) => {
    const methods = bench.all.flat().flatMap(({ message }) => message['method'] ?? []);
    if (messageAt(bench)['method'] !== undefined) messageAt(bench)['method'] = bench.pick(methods);
  },
  'change status': (bench) => set(place(bench, 'status'), bench.pick(STATUSES)),
  'change result type': (bench) => set(place(bench, 'resultType'), bench.pick(TYPES)),
  'change id': (bench) => set(place(bench, 'id'), bench.pick([1, 2, 3, 'x', 4.5, '1'])),
  'result and error': (bench) => {
    const message = messageAt(bench);
    if (message['result'] !== undefined) message['error'] = { code: -32603, message: 'both' };
    else if (message['error'] !== undefined) message['result'] = {};
  },
  'turn around': ({ lines, at }) => {
    const line = lines[at];
    if (!line) return;
    lines[at] = { ...line, direction: line.direction === 'client' ? 'server' : 'client' };
  },
  'drop message': ({ lines, at }) => void lines.splice(at, 1),
  'repeat message': ({ lines, at, pick }) => {
    const again = lines[at];
    if (again) lines.splice(pick([...lines.keys()].slice(at)) + 1, 0, copy(again));
  },
  'move message': ({ lines, at, pick }) => {
    const moved = lines.splice(at, 1);
    lines.splice(pick([...lines.keys(), lines.length]), 0, ...moved);
  },
  'insert message': ({ lines, at, pick, all }) => {
    lines.splice(at, 0, copy(pick(pick(all))));
  },
  'move value': (bench) => {
    const other = bench.pick(bench.pick(bench.all)).message;
    const source = bench.pick(placesIn(other));
    set(place(bench), copy((source.parent as Message)[source.key]));
  },
  'move part': (bench) => {
    const other = bench.pick(bench.pick(bench.all)).message;
    for (const part of ['params', 'result'] as const) {
      if (messageAt(bench)[part] !== undefined && other[part] !== undefined) {
        messageAt(bench)[part] = copy(other[part]);
      }
    }
  },
  'drop meta': (bench) => drop(place(bench, '_meta')),
};

export const LEGAL: Readonly<Record<string, (bench: Bench) => void>> = {
  'reverse keys': ({ lines, at }) => {
    const line = lines[at];
    if (line) lines[at] = { ...line, message: reversed(line.message) as Message };
  },
  'add key to message': (bench) => {
    messageAt(bench)['x-unknown'] = bench.pick(STRANGE);
  },
  'add key to params or result': (bench) => {
    const { params, result } = messageAt(bench) as { params?: Message; result?: Message };
    const part = params ?? result;
    if (part) part['x-unknown'] = bench.pick(STRANGE);
  },
};

export const MAYBE: Readonly<Record<string, (bench: Bench) => void>> = {
  'add key anywhere': (bench) => {
    bench.pick(objectsIn(messageAt(bench)))['x-unknown'] = bench.pick(STRANGE);
  },
};

export interface Mutant {
  readonly name: string;
  readonly lines: readonly Line[];
}

/** The mutant of this number; `isLegal` restricts it to changes that break no rule. */
export function mutant(
  seed: number,
  all: readonly (readonly Line[])[],
  ways: Readonly<Record<string, (bench: Bench) => void>>,
): Mutant {
  const next = random(seed);
  const pick: Pick = (from) => from[Math.floor(next() * from.length)] as never;
  const lines = copy(pick(all)) as Line[];
  const name = pick(Object.keys(ways));
  const at = Math.floor(next() * lines.length);
  ways[name]?.({ lines, at, pick, all });
  return { name, lines };
}
