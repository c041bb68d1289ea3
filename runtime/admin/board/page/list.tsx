import { useEffect, useRef, useState } from 'preact/hooks';
import type { Counts, Found, Row } from './answers.js';
import { usePaced, seen } from './paced.js';
import type { Paced } from './paced.js';
import { hashOf } from './place.js';
import type { PartProps, Query, Visit } from './place.js';
import { Tasks } from './rows.js';
import { statusName, STATUSES } from './words.js';
import { ask, type AskError, FAULT_PAUSE_MS, isPassing } from './wire.js';

/** Rows of a page; a search that has found fewer goes on. */
const ROWS = 50;
const FIELDS = [
  ['id', 'Id, or its beginning', 64],
  ['tool', 'Tool', 2000],
  ['owner', 'Owner', 2000],
] as const;

interface Shown extends Found {
  readonly visit: Visit;
}

/** The list of tasks, its search and its counts. */
export function List({ visit, isHidden, change, onError, onRead }: PartProps) {
  const [shown, setShown] = useState<Shown>();
  const [counts, setCounts] = useState<Counts['counts']>();
  const loading = useRef(new AbortController());
  const { query } = visit;

  function failed(error: AskError, source: string, reading: Paced): number {
    onError(error, source);
    // Without another change nothing else would read it again.
    if (isPassing(error)) reading.ask();
    return FAULT_PAUSE_MS;
  }

  const listing: Paced = usePaced(async () => {
    const { signal } = loading.current;
    const known = shown?.visit === visit ? shown : undefined;
    try {
      return await load(query, known, signal, (found) => {
        onRead('list');
        setShown({ ...found, visit });
      });
    } catch (error) {
      return signal.aborted ? undefined : failed(error as AskError, 'list', listing);
    }
  });
  const counting: Paced = usePaced(async () => {
    try {
      const answer = await ask<Counts>('api/counts');
      onRead('counts');
      setCounts(answer.counts);
      return answer.nextMs;
    } catch (error) {
      return failed(error as AskError, 'counts', counting);
    }
  });

  useEffect(() => {
    if (isHidden) return;
    const controller = new AbortController();
    loading.current = controller;
    listing.askNow();
    if (counts === undefined) counting.askNow();
    else counting.ask();
    return () => controller.abort();
  }, [visit, isHidden]);
  useEffect(() => {
    if (isHidden || change === 0) return;
    listing.ask();
    counting.ask();
  }, [change]);

  const found = shown?.visit === visit ? shown : undefined;
  return (
    <section id="list" hidden={isHidden} aria-labelledby="list-title">
      <h2 id="list-title" class="unseen">
        List
      </h2>
      <Statuses query={query} counts={counts} />
      <Filter query={query} />
      <p id="found" role="status">
        {found ? sentence(found, query) : 'Searching …'}
      </p>
      <Tasks tasks={shown?.tasks} isBusy={found === undefined} />
      <nav id="pages" aria-label="Pages">
        <a id="newest" href={hashOf({ ...query, before: undefined })} hidden={!query.before}>
          Newest
        </a>{' '}
        <a id="older" href={hashOf({ ...query, before: found?.next })} hidden={!found?.next}>
          Older
        </a>
      </nav>
    </section>
  );
}

/** Reads the newest part, and older ones until the page is full. Resolves with the pause that the store needs. */
async function load(
  query: Query,
  known: Found | undefined,
  signal: AbortSignal,
  show: (found: Found) => void,
): Promise<number | undefined> {
  const part = (narrower: Query): Promise<Found> =>
    ask(`api/tasks?${new URLSearchParams({ ...query, ...narrower }).toString()}`, { signal });
  const began = performance.now();
  const first = await part({});
  let found = joined(first, known);
  show(found);
  // Tasks of older parts as they are now; without those that the search no longer finds.
  const older: Row[] = [];
  for (const { id } of found.tasks.slice(first.tasks.length)) {
    older.push(...(await part({ id })).tasks);
  }
  if (older.length > 0) show((found = { ...found, tasks: [...first.tasks, ...older] }));
  const took = performance.now() - began;
  while (found.next !== undefined && found.tasks.length < ROWS) {
    const asked = performance.now();
    const more = await part({ before: found.next });
    show((found = { ...more, tasks: [...found.tasks, ...more.tasks] }));
    await new Promise((resolve) => setTimeout(resolve, performance.now() - asked));
    await seen();
    if (signal.aborted) return undefined;
  }
  return Math.max(500, 10 * took);
}

/** The newest part, and what older parts had. Ids sort by creation, so the parts do not overlap. */
function joined(first: Found, known: Found | undefined): Found {
  const { next } = first;
  if (known === undefined || next === undefined || first.tasks.length >= ROWS) return first;
  const tasks = [...first.tasks, ...known.tasks.filter(({ id }) => id < next)];
  if (tasks.length > 2 * ROWS) return first;
  return known.next === undefined ? { tasks } : { tasks, next: known.next };
}

function sentence({ tasks: { length }, next }: Found, { before }: Query): string {
  const tasks = length === 1 ? '1 task' : `${length === 0 ? 'No' : String(length)} tasks`;
  if (next !== undefined && length < ROWS) return `${tasks} so far; searching older ones.`;
  return `${tasks}${before === undefined ? '' : ' on this page'}.`;
}

interface StatusesProps {
  readonly query: Query;
  readonly counts: Counts['counts'] | undefined;
}

/** The statuses, with the counts of all tasks where no other part of the search narrows them. */
function Statuses({ query, counts }: StatusesProps) {
  const isNarrow = FIELDS.some(([name]) => query[name]);
  const countOf = (status: string): number =>
    status === ''
      ? STATUSES.reduce((sum, each) => sum + (counts?.[each] ?? 0), 0)
      : (counts?.[status] ?? 0);
  return (
    <nav id="statuses" aria-label="Status">
      {['', ...STATUSES].map((status) => (
        <a
          key={status}
          class={status}
          href={hashOf({ ...query, before: undefined, status })}
          data-status={status}
          aria-current={(query.status ?? '') === status ? 'true' : undefined}
        >
          {status === '' ? 'All' : statusName(status)}{' '}
          <span class="count">
            {isNarrow || !counts ? '' : countOf(status).toLocaleString('en')}
          </span>
        </a>
      ))}
    </nav>
  );
}

function Filter({ query }: { readonly query: Query }) {
  const form = useRef<HTMLFormElement>(null);
  const fieldOf = (name: string): HTMLInputElement =>
    form.current?.elements.namedItem(name) as HTMLInputElement;
  // Another search, or the same one again, replaces what was typed.
  useEffect(() => {
    for (const [name] of FIELDS) fieldOf(name).value = query[name] ?? '';
  }, [query]);
  const search = (event: Event): void => {
    event.preventDefault();
    const typed = FIELDS.map(([name]) => [name, fieldOf(name).value.trim()]);
    location.hash = hashOf({
      status: query.status,
      ...(Object.fromEntries(typed) as Record<string, string>),
    });
  };
  const clear = (): void => {
    location.hash = '#';
    fieldOf('id').focus();
  };
  return (
    <form id="filter" role="search" ref={form} onSubmit={search}>
      {FIELDS.map(([name, label, longest]) => (
        <p key={name}>
          <label for={`by-${name}`}>{label}</label>
          <input
            id={`by-${name}`}
            name={name}
            type="search"
            autocomplete="off"
            spellcheck={false}
            maxLength={longest}
            {...(name === 'id' && {
              pattern: '[0-9A-Za-z_\\-]*',
              title: 'Letters, digits, - and _',
              'aria-keyshortcuts': '/',
            })}
          />
        </p>
      ))}
      <p>
        <button>Search</button>{' '}
        <button type="button" id="clear" onClick={clear}>
          Clear
        </button>
      </p>
    </form>
  );
}
