/**
 * Regular expressions in time that is linear in the text, for patterns that take JavaScript's own longer. Instead of
 * trying one way after another, all ways are followed at the same time, one character after the other.
 */

/** What a pattern consists of. */
export type Part =
  /** One character of the set with this index. */
  | number
  /** The start and the end of the text, a boundary of a word, and none. */
  | '^'
  | '$'
  | 'b'
  | 'B'
  /** One after the other. */
  | readonly Part[]
  | { readonly or: readonly Part[] }
  /** Repeated; without `max`, without a limit. */
  | { readonly part: Part; readonly min: number; readonly max?: number }
  /** What comes next, or came before, matches; with `not`, it does not. */
  | { readonly ahead: Part; readonly not?: true }
  | { readonly behind: Part; readonly not?: true };

/** Like a `RegExp`. Each set is a regular expression for one character. */
export function linear(
  sets: readonly RegExp[],
  part: Part,
): { readonly test: (text: string) => boolean } {
  let run: ((text: string) => boolean) | undefined;
  return { test: (text) => (run ??= matcher(sets, part))(text) };
}

function matcher(sets: readonly RegExp[], part: Part): (text: string) => boolean {
  const classes = classify(sets);
  const looks: Look[] = [];
  const main = build(part, false, looks);
  const anchored = startsAtStart(part);
  return (text) => {
    const marks = looks.length > 0 ? new Uint16Array(text.length + 1) : undefined;
    looks.forEach(({ graph, backward }, index) => {
      const note = (at: number): false => {
        if (marks) marks[at] = (marks[at] ?? 0) | (1 << index);
        return false;
      };
      (backward ? runBackward : runForward)(graph, classes, text, marks, false, note);
    });
    return runForward(main, classes, text, marks, anchored, () => true);
  };
}

function startsAtStart(part: Part): boolean {
  if (typeof part !== 'object') return part === '^';
  if ('or' in part) return part.or.every(startsAtStart);
  return Array.isArray(part) && part.length > 0 && startsAtStart((part as readonly Part[])[0] ?? 0);
}

/** States are numbers. Each has one successor, except for a choice, which has two. */
interface Graph {
  readonly kinds: Int32Array;
  /** The set of a character, the condition of an assertion, or the other successor of a choice. */
  readonly values: Int32Array;
  readonly next: Int32Array;
  readonly start: number;
  /** Whether it has conditions. */
  readonly conditional: boolean;
  readonly cache: Cache;
}

const CHARACTER = 0;
const CHOICE = 1;
const ASSERTION = 2;
const REFUSAL = 3;
const MATCH = 4;

/** Conditions, as bits: those of the position, then one for each look-around. */
const START = 1;
const END = 2;
const BOUNDARY = 4;
const FIRST_LOOK = 3;

/** A look-ahead runs from the end of the text to its start. */
interface Look {
  readonly part: Part;
  readonly graph: Graph;
  readonly backward: boolean;
}

function build(part: Part, backward: boolean, looks: Look[]): Graph {
  const kinds = [MATCH];
  const values = [0];
  const successors = [0];

  const add = (kind: number, value: number, next: number): number => {
    successors.push(next);
    values.push(value);
    return kinds.push(kind) - 1;
  };

  /** The state before the part, when `next` is the state after it. */
  function before(inner: Part, next: number): number {
    if (typeof inner === 'number') return add(CHARACTER, inner, next);
    if (inner === '^') return add(ASSERTION, START, next);
    if (inner === '$') return add(ASSERTION, END, next);
    if (inner === 'b') return add(ASSERTION, BOUNDARY, next);
    if (inner === 'B') return add(REFUSAL, BOUNDARY, next);
    if ('or' in inner) {
      return inner.or
        .map((each) => before(each, next))
        .reduceRight((rest, each) => add(CHOICE, rest, each));
    }
    if ('part' in inner) return repeated(inner.part, inner.min, inner.max, next);
    if ('ahead' in inner || 'behind' in inner) {
      const condition = 1 << (FIRST_LOOK + look(inner));
      return add(inner.not ? REFUSAL : ASSERTION, condition, next);
    }
    const parts = backward ? inner : [...inner].reverse();
    return parts.reduce<number>((after, each) => before(each, after), next);
  }

  function repeated(inner: Part, min: number, max: number | undefined, next: number): number {
    let state = next;
    if (max === undefined) {
      state = add(CHOICE, next, next);
      successors[state] = before(inner, state);
    } else {
      for (let i = min; i < max; i++) state = add(CHOICE, next, before(inner, state));
    }
    for (let i = 0; i < min; i++) state = before(inner, state);
    return state;
  }

  /** The index of a look-around. Those in it come before it. */
  function look(
    inner: Extract<Part, { readonly ahead: Part } | { readonly behind: Part }>,
  ): number {
    const known = looks.findIndex((each) => each.part === inner);
    if (known >= 0) return known;
    const isAhead = 'ahead' in inner;
    const own = build(isAhead ? inner.ahead : inner.behind, isAhead, looks);
    return looks.push({ part: inner, graph: own, backward: isAhead }) - 1;
  }

  const start = before(part, 0);
  return {
    kinds: Int32Array.from(kinds),
    values: Int32Array.from(values),
    next: Int32Array.from(successors),
    start,
    conditional: kinds.includes(ASSERTION) || kinds.includes(REFUSAL),
    cache: newCache(kinds.length),
  };
}

/** Characters that are in the same sets are equal. */
interface Classes {
  readonly of: (character: number) => number;
  /** For each class, which sets it is in. */
  readonly members: readonly Uint8Array[];
}

/** More characters than this are classified again when they return. */
const KNOWN_CHARACTERS = 20_000;

function classify(sets: readonly RegExp[]): Classes {
  const members: Uint8Array[] = [];
  const bySets = new Map<string, number>();
  const ascii = new Int32Array(128).fill(-1);
  const others = new Map<number, number>();

  function find(character: number): number {
    const text = String.fromCodePoint(character);
    const flags = Uint8Array.from(sets, (set) => Number(set.test(text)));
    const key = flags.join('');
    let known = bySets.get(key);
    if (known === undefined) bySets.set(key, (known = members.push(flags) - 1));
    return known;
  }

  return {
    members,
    of(character) {
      const known = character < 128 ? (ascii[character] ?? -1) : (others.get(character) ?? -1);
      if (known >= 0) return known;
      const found = find(character);
      if (character < 128) ascii[character] = found;
      else {
        if (others.size > KNOWN_CHARACTERS) others.clear();
        others.set(character, found);
      }
      return found;
    },
  };
}

/** A set of states before a character, in order, and where it leads under each condition. */
interface Front {
  readonly states: readonly number[];
  readonly byCondition: Map<number, Reached>;
}

interface Reached {
  readonly matches: boolean;
  /** The states that wait for a character. */
  readonly waiting: readonly number[];
  /** By the class of the next character. */
  readonly after: (Front | undefined)[];
}

interface Cache {
  fronts: Map<string, Front>;
  /** The number of states in its fronts. */
  size: number;
  /** How often it was emptied since the last pause. */
  emptied: number;
  /** Above 0, no sets are kept until they have had this many states. */
  pause: number;
  /** The turn in which a state was seen last. */
  readonly seen: Float64Array;
  turn: number;
}

const newCache = (states: number): Cache => ({
  fronts: new Map(),
  size: 0,
  emptied: 0,
  pause: 0,
  seen: new Float64Array(states),
  turn: 0,
});

const MOST_CACHED = 50_000;

/** Sets of states that do not return are kept in vain, so the cache pauses for a while. */
const MOST_EMPTIED = 4;
const PAUSE = 1_000_000;

function frontOf(graph: Graph, states: number[]): Front {
  const { cache } = graph;
  const front = { states, byCondition: new Map<number, Reached>() };
  if (cache.pause > 0) {
    cache.pause -= states.length + 1;
    return front;
  }
  const key = states.sort((a, b) => a - b).join();
  const known = cache.fronts.get(key);
  if (known) return known;
  cache.size += states.length + 1;
  if (cache.size > MOST_CACHED) {
    cache.fronts = new Map();
    cache.size = 0;
    cache.emptied++;
    if (cache.emptied === MOST_EMPTIED) {
      cache.emptied = 0;
      cache.pause = PAUSE;
    }
  }
  cache.fronts.set(key, front);
  return front;
}

function firstFront(graph: Graph): Front {
  graph.cache.pause = 0;
  return frontOf(graph, [graph.start]);
}

function reach(graph: Graph, front: Front, conditions: number): Reached {
  const known = front.byCondition.get(conditions);
  if (known) return known;
  const { kinds, values, next, cache } = graph;
  const turn = ++cache.turn;
  const { seen } = cache;
  const waiting: number[] = [];
  let matches = false;
  const todo = [...front.states];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    if (seen[state] === turn) continue;
    seen[state] = turn;
    const kind = kinds[state];
    const value = values[state] ?? 0;
    const after = next[state] ?? 0;
    if (kind === MATCH) matches = true;
    else if (kind === CHARACTER) waiting.push(state);
    else if (kind === CHOICE) todo.push(value, after);
    else if ((kind === ASSERTION) === ((conditions & value) !== 0)) todo.push(after);
  }
  const reached = { matches, waiting, after: [] };
  front.byCondition.set(conditions, reached);
  return reached;
}

/** The states after a character; a match may begin there too, unless it is only sought at the start. */
function step(
  graph: Graph,
  { waiting, after }: Reached,
  kind: number,
  { members }: Classes,
  anchored: boolean,
): Front {
  const known = after[kind];
  if (known) return known;
  const { values, next, cache } = graph;
  const sets = members[kind];
  const turn = ++cache.turn;
  const { seen } = cache;
  const states: number[] = [];
  const take = (state: number): void => {
    if (seen[state] === turn) return;
    seen[state] = turn;
    states.push(state);
  };
  if (!anchored) take(graph.start);
  for (const state of waiting) if (sets?.[values[state] ?? 0] === 1) take(next[state] ?? 0);
  const front = frontOf(graph, states);
  if (cache.pause <= 0) after[kind] = front;
  return front;
}

type Marks = Uint16Array | undefined;

/** Calls `found` at each position where a match ends, until it returns true. */
function runForward(
  graph: Graph,
  classes: Classes,
  text: string,
  marks: Marks,
  anchored: boolean,
  found: (at: number) => boolean,
): boolean {
  let front = firstFront(graph);
  for (let at = 0; ;) {
    const reached = reach(graph, front, graph.conditional ? conditionsAt(text, at, marks) : 0);
    if (reached.matches && found(at)) return true;
    if (at >= text.length || (anchored && reached.waiting.length === 0)) return false;
    const character = text.codePointAt(at) ?? 0;
    at += character > 0xffff ? 2 : 1;
    front = step(graph, reached, classes.of(character), classes, anchored);
  }
}

/** Calls `found` at each position where a match starts, for a graph in reverse. */
function runBackward(
  graph: Graph,
  classes: Classes,
  text: string,
  marks: Marks,
  _anchored: boolean,
  found: (at: number) => boolean,
): boolean {
  let front = firstFront(graph);
  for (let at = text.length; ;) {
    const reached = reach(graph, front, graph.conditional ? conditionsAt(text, at, marks) : 0);
    if (reached.matches) found(at);
    if (at <= 0) return false;
    at -= at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
    front = step(graph, reached, classes.of(text.codePointAt(at) ?? 0), classes, false);
  }
}

function conditionsAt(text: string, at: number, marks: Marks): number {
  const boundary = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return (
    (at === 0 ? START : 0) |
    (at === text.length ? END : 0) |
    (boundary ? BOUNDARY : 0) |
    ((marks?.[at] ?? 0) << FIRST_LOOK)
  );
}

/** Of ASCII, as `\b` has it; NaN is none. */
function isWord(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95
  );
}
