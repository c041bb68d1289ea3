/** A list's search. Its members are the parameters of `api/tasks`. */
export type Query = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

const NAMES = ['status', 'tool', 'owner', 'id', 'before'] as const;

/** What the address asks for: one task, or a search. Each navigation makes a new one. */
export interface Visit {
  readonly task?: string;
  readonly query: Query;
}

export function visitNow(): Visit {
  const place = new URLSearchParams(location.hash.slice(1));
  const task = place.get('task');
  if (task !== null) return { task, query: {} };
  const names = NAMES.filter((name) => place.has(name));
  return { query: Object.fromEntries(names.map((name) => [name, place.get(name) ?? ''])) };
}

/** The fragment of a list. Without `before` it begins with the newest task. */
export function hashOf(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return `#${new URLSearchParams(given).toString()}`;
}

/** What the parts of the page share: where the user is, and the changes that the board reports. */
export interface PartProps {
  readonly visit: Visit;
  readonly isHidden: boolean;
  /** A number that grows with each change of a task. */
  readonly change: number;
  /** `source`: what could not be read. */
  readonly onError: (error: Error, source: string) => void;
  /** A message of an error that is over must not stay. */
  readonly onRead: (source: string) => void;
}
