/**
 * What a server names by chance or by its clock: sessions, tasks, states, cursors, times. Two servers that do the same
 * choose different names, so a text of one server is compared with a text of the other up to these names.
 */

const KINDS = {
  state: /(?<="requestState":")[^"]+(?=")/,
  cursor: /(?<="nextCursor":")[^"]+(?=")/,
  time: /\d{4}-\d\d-\d\dT[\d:.]+Z/,
  /** Milliseconds until something: when a limit lets more pass, and how long a task of the client lives. */
  delay: /(?<=retry in |"retryAfterMs":|"task":\{"ttl":)\d+/,
  /** Of the server's own span. What the trace is called comes from the client. */
  span: /(?<="traceparent":"00-[0-9a-f]{32}-)[0-9a-f]{16}/,
  /** Of the session, in the ids of its events. */
  events: /(?<=^id: )[0-9a-f]{8}(?=\.\d+\.\d+$)/,
  uuid: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  task: /(?<![\w-])[0-9a-f]{14}[\w-]{24}(?![\w-])/,
};
type Kind = keyof typeof KINDS;

const ANY = new RegExp(
  Object.entries(KINDS)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join('|'),
  'gm',
);

/** Nothing can be asked with these, and any two mean the same. */
const ANY_TWO: ReadonlySet<Kind> = new Set(['time', 'delay', 'span']);

/**
 * Two states with the same content differ only when they end in different seconds, which one server may see pass
 * between two requests and the other not.
 */
const MADE_BY_CLOCK: ReadonlySet<Kind> = new Set(['state']);

interface Name {
  readonly kind: Kind;
  readonly value: string;
}

/** A text with its names taken out. */
interface Read {
  readonly text: string;
  readonly names: readonly Name[];
}

function read(text: string): Read {
  const names: Name[] = [];
  const rest = text.replace(ANY, (value, ...more) => {
    const groups = more.at(-1) as Readonly<Record<Kind, string | undefined>>;
    const kind = (Object.keys(KINDS) as Kind[]).find((each) => groups[each] !== undefined);
    if (kind !== undefined) names.push({ kind, value });
    return kind === 'state' ? `{state of ${contentOf(value)}}` : `{${kind}}`;
  });
  return { text: rest, names };
}

/** What a server signed, without the time and the signature. */
function contentOf(state: string): string {
  const [signed = ''] = state.split('.');
  try {
    const { expires: _, ...content } = JSON.parse(Buffer.from(signed, 'base64url').toString()) as {
      readonly expires?: unknown;
    };
    return JSON.stringify(content);
  } catch {
    return 'unknown form';
  }
}

/** Which name of one server is which of the other, learned from their answers to the same requests. */
export interface Pairs {
  /**
   * Whether both texts say the same: the same characters, and at each place names that were not paired with others
   * before. Pairs them if so.
   */
  same(leading: string, following: string): boolean;
  /** What the leading server was sent, in the names of the other. */
  translated(text: string): string;
}

export function createPairs(): Pairs {
  const following = new Map<string, string>();
  const leading = new Map<string, string>();

  return {
    same(first, second) {
      const [a, b] = [read(first), read(second)];
      if (a.text !== b.text) return false;
      const found = a.names.flatMap(({ kind, value: one }, at) => {
        const other = b.names[at]?.value;
        return other === undefined || ANY_TWO.has(kind) ? [] : [{ kind, one, other }];
      });
      const fits = found.every(
        ({ kind, one, other }) =>
          MADE_BY_CLOCK.has(kind) ||
          ((following.get(one) ?? other) === other && (leading.get(other) ?? one) === one),
      );
      if (!fits) return false;
      for (const { one, other } of found) {
        following.set(one, other);
        leading.set(other, one);
      }
      return true;
    },
    translated(text) {
      if (following.size === 0) return text;
      return text.replace(anyOf(following.keys()), (name) => following.get(name) ?? name);
    },
  };
}

/** The longest first: a cursor begins with the id of a task. */
function anyOf(names: Iterable<string>): RegExp {
  const longestFirst = [...names].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|'), 'g');
}
