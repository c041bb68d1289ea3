import type { TaskChange } from '../../tasks/index.js';
import { newsOf } from './notify.js';
import { connect, type Connection, type Database } from './open.js';
import type { CompleteOptions } from './options.js';
import { timeIn, toKey, type Row } from './rows.js';
import type { Statements } from './statements.js';

/**
 * Reports the changes that other nodes make: by notifications on a connection of its own, and by reading
 * the log of changes every `pollMs`, more often while that connection is lost. So no change is missed;
 * one whose notification was lost is reported by the next poll.
 */
export interface Listener {
  close(): Promise<void>;
}

export interface ListenerDependencies {
  readonly options: CompleteOptions;
  readonly node: string;
  readonly channel: string;
  readonly pool: Database;
  readonly sql: Statements;
  /** Set right by each poll. */
  readonly clock: ServerClock;
  /** Changes that the snapshot has seen are not reported. */
  readonly since: string;
  readonly onChanges: (changes: readonly TaskChange[]) => void;
  readonly onFault: (error: unknown) => void;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** While there is no connection that listens. */
const POLL_WHILE_DEAF_MS = 500;

export function createListener(dependencies: ListenerDependencies): Listener {
  const { options, node, channel, pool, sql, clock, onChanges, onFault } = dependencies;
  let since = dependencies.since;
  let connection: Connection | undefined;
  let delay = FIRST_DELAY_MS;
  let closed = false;
  let reconnecting: NodeJS.Timeout | undefined;
  let polling: NodeJS.Timeout | undefined;
  let poll: Promise<void> | undefined;
  let again = false;
  /** One report an outage, however often it is tried. */
  let failing = false;

  function report(error: unknown): void {
    if (!failing && !closed) onFault(error);
    failing = true;
  }

  async function listen(): Promise<void> {
    let opened: Connection | undefined;
    try {
      opened = await connect(options, () => lost(opened));
      opened.client.on('notification', ({ payload }) => heard(payload));
      await opened.query({ text: `LISTEN ${channel}` });
      if (closed) return opened.close();
      connection = opened;
      delay = FIRST_DELAY_MS;
      // What changed while nothing listened.
      readNow();
    } catch (error) {
      opened?.close();
      report(error);
      retry();
    }
  }

  /** Only of the connection in use: one that failed to listen is retried already. */
  function lost(which: Connection | undefined): void {
    if (which === undefined || which !== connection) return;
    connection = undefined;
    if (closed) return;
    report(new Error('The connection that listens for changes was lost'));
    retry();
    readNow();
  }

  function retry(): void {
    if (closed) return;
    // Not all nodes at once, when the server is back.
    reconnecting = setTimeout(() => void listen(), delay * (0.5 + Math.random() / 2));
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }

  function heard(payload: string | undefined): void {
    const news = newsOf(payload);
    if (news === undefined || news.node === node) return;
    if (news.changes === undefined) readNow();
    else onChanges(news.changes);
  }

  function readNow(): void {
    if (closed) return;
    if (poll !== undefined) again = true;
    else poll = read();
  }

  async function read(): Promise<void> {
    clearTimeout(polling);
    const over = connection;
    try {
      // The connection that listens, if it is there: so it is noticed when that is dead.
      const ask = (): Promise<readonly Row[]> => (over ?? pool).query(sql.changes, [since]);
      const rows = await clock.observe(ask, timeIn);
      since = String(rows[0]?.['snapshot']);
      const changes = rows.filter((row) => row['id'] !== null).map(toChange);
      failing &&= connection === undefined;
      if (!closed && changes.length > 0) onChanges(changes);
    } catch (error) {
      report(error);
      if (over !== undefined && over === connection) over.close();
    }
    poll = undefined;
    if (closed) return;
    if (again) {
      again = false;
      readNow();
      return;
    }
    const rest = connection ? options.pollMs : Math.min(options.pollMs, POLL_WHILE_DEAF_MS);
    polling = setTimeout(readNow, rest);
  }

  void listen();
  readNow();

  return {
    async close() {
      closed = true;
      clearTimeout(reconnecting);
      clearTimeout(polling);
      connection?.close();
      await poll;
    },
  };
}

function toChange(row: Row): TaskChange {
  const { version } = row;
  const key = toKey(row);
  return typeof version === 'number' ? { kind: 'changed', key, version } : { kind: 'removed', key };
}

/**
 * The time of the PostgreSQL server, as this process estimates it. The estimate uses only the monotonic
 * clock of this process, so setting its wall clock changes nothing.
 */
interface ServerClock {
  /** Whole milliseconds since the epoch. */
  now(): number;
  /** Runs a statement that returns the server's time, in milliseconds, and corrects the estimate by it. */
  observe<T>(ask: () => Promise<T>, timeIn: (answer: T) => number): Promise<T>;
}

export function createServerClock(monotonic = (): number => performance.now()): ServerClock {
  /** The server's time minus the monotonic time. */
  let offset: number | undefined;

  return {
    now() {
      if (offset === undefined) throw new Error('The time of the server is not known yet');
      return Math.floor(monotonic() + offset);
    },
    async observe(ask, timeIn) {
      const sent = monotonic();
      const answer = await ask();
      const [least, most] = [timeIn(answer) - monotonic(), timeIn(answer) - sent];
      // The server read its clock somewhere in between. An estimate that may be right is kept, so that slow
      // answers do not disturb it.
      offset = Math.min(Math.max(offset ?? (least + most) / 2, least), most);
      return answer;
    },
  };
}
