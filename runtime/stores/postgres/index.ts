import { randomBytes } from 'node:crypto';
import {
  expiresAt,
  insertSize,
  NO_COUNTS,
  updateSize,
  type AdministrableStore,
  type Insertion,
  type StatusCounts,
  type TaskChange,
  type TaskRecord,
  type TaskSummary,
  isTerminal,
  type TaskQuery,
} from '../../tasks/index.js';
import { createBatches } from './batches.js';
import { createServerClock, createListener, type Listener } from './listen.js';
import { isBadValue, PostgresError, storeError } from './connection/index.js';
import { createNotifier, newNodeName } from './notify.js';
import { openPool, type ConnectionPool } from './open.js';
import { completeOptions, type CompleteOptions, type PostgresStoreOptions } from './options.js';
import { bytesOf, textOf, timeIn, toRecord, toSummary, type Row } from './rows.js';
import { migrate } from './schema.js';
import { statementsFor, type Statements } from './statements.js';
import {
  createInsertAll,
  INSERT_LIMITS,
  UPDATE_LIMITS,
  updateAll,
  withRetries,
  type InsertOperation,
} from './writes.js';

export { PostgresError } from './connection/index.js';
export type { PostgresStoreOptions } from './options.js';
export { migratePostgres } from './schema.js';

/**
 * Keeps tasks in a PostgreSQL database, which several processes may share. Creates or updates the
 * schema if that is needed and the role may. A promise resolves when the change is committed.
 *
 * Throws a PostgresError that says what is wrong and what mends it, a RangeError for an option that makes
 * no sense. Operations reject with a PostgresError while the server is away, and work again when it is back.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions = {},
): Promise<AdministrableStore> {
  const complete = completeOptions(options);
  await migrate(complete);
  const pool = await openPool(complete);
  try {
    return await createStore(complete, pool);
  } catch (error) {
    await pool.close();
    throw storeError(error, 'Cannot open the task store');
  }
}

const CURSOR_SECRET = 'cursor secret';
const PROBE = 'probe';
const SECRET_BYTES = 32;
/** Above every id: in ASCII, which ids are made of, nothing follows it. */
const AFTER_ALL = '\x7f';
const PRUNE_EVERY_MS = 60_000;
/** Leases of workers that ended are kept this long, for the clocks of nodes may differ. */
const LEASE_KEPT_MS = 86_400_000;

async function createStore(
  options: CompleteOptions,
  pool: ConnectionPool,
): Promise<AdministrableStore> {
  const sql = statementsFor(options.schema);
  const secret = await readSecret(pool, sql);
  const channel = String((await pool.query(sql.channel))[0]?.['channel']);
  const clock = createServerClock();
  const [first] = await clock.observe(() => pool.query(sql.snapshot), timeIn);
  const since = String(first?.['snapshot']);
  const node = newNodeName();
  const watchers = new Set<(change: TaskChange) => void>();
  let listener: Listener | undefined;
  let closing: Promise<void> | undefined;
  let prunedAt = -Infinity;

  const onFault = (error: unknown): void => options.onFault(storeError(error));

  function report(changes: readonly TaskChange[]): void {
    for (const change of changes) {
      for (const watcher of [...watchers]) {
        try {
          watcher(change);
        } catch (error) {
          onFault(error);
        }
      }
    }
  }

  const notifier = createNotifier({ node, channel, database: pool, sql, onOwn: report, onFault });

  const inserts = createBatches<InsertOperation, Insertion>({
    work: createInsertAll(pool, sql),
    limits: INSERT_LIMITS,
    sizeOf: ({ record }) => insertSize(record),
    // Two calls of one node would wait for each other's locks.
    lanes: 1,
    isOnesFault: isBadValue,
  });
  const updates = createBatches<TaskRecord, boolean>({
    async work(records) {
      const updated = await updateAll(pool, sql, records);
      records.forEach((record, index) => {
        if (updated[index]) notifier.changed(changeOf(record));
      });
      return updated;
    },
    limits: UPDATE_LIMITS,
    sizeOf: updateSize,
    lanes: 2,
    isOnesFault: isBadValue,
  });

  async function whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (closing) throw new PostgresError('The task store is closed', undefined);
    try {
      return await work();
    } catch (error) {
      throw storeError(error);
    }
  }

  const query = (
    statement: keyof Statements,
    ...values: readonly unknown[]
  ): Promise<readonly Row[]> => whileOpen(() => pool.query(sql[statement], values));

  /** Deletes what is kept for a while only. Another node does it if this one fails. */
  function prune(now: number): void {
    if (performance.now() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = performance.now();
    query('pruneLeases', now - LEASE_KEPT_MS).catch(onFault);
    query('pruneRemovals').catch(onFault);
  }

  function watch(watcher: (change: TaskChange) => void): () => void {
    const own = (change: TaskChange): void => watcher(change);
    watchers.add(own);
    if (!closing) {
      listener ??= createListener({
        ...{ options, node, channel, pool, sql, since, clock, onFault },
        onChanges: report,
      });
    }
    return () => void watchers.delete(own);
  }

  async function close(): Promise<void> {
    await Promise.all([inserts.idle(), updates.idle()]);
    await notifier.idle();
    await listener?.close();
    await pool.close();
  }

  async function expire(now: number, limit: number): Promise<readonly TaskSummary[]> {
    const rows = await withRetries(() => query('expire', now, limit));
    const removed = rows.map(toSummary).sort((a, b) => expiresAt(a) - expiresAt(b));
    for (const { owner, dialect, id } of removed) {
      notifier.changed({ kind: 'removed', key: { owner, dialect, id } });
    }
    return removed;
  }

  return {
    secret: () => Promise.resolve(secret),

    insert: (record, caps) => whileOpen(() => inserts.run({ record, caps })),

    async get({ owner, dialect, id }) {
      const [row] = await query('get', bytesOf(owner), dialect, bytesOf(id));
      return row && toRecord(row);
    },

    update: (next) => whileOpen(() => updates.run(next)),

    async list({ owner, dialect }, { before = AFTER_ALL, limit, now }) {
      const rows = await query('list', bytesOf(owner), dialect, bytesOf(before), now, limit);
      return rows.map(toSummary);
    },

    async expire(now, limit) {
      const removed = await expire(now, limit);
      prune(now);
      const [due] = await query('nextDue');
      return { removed, next: due && Number(due['next']) };
    },

    async renew(worker, until) {
      await clock.observe(() => query('renew', bytesOf(worker), until), timeIn);
    },

    async orphans(now, limit) {
      return (await query('orphans', now, limit)).map(toSummary);
    },

    watch,

    now: () => clock.now(),

    async probe() {
      const mark = randomBytes(8);
      await query('writeSetting', PROBE, mark);
      // Other nodes probe as well: any mark shows that the table is kept.
      const [row] = await query('readSetting', PROBE);
      if (row === undefined) throw new PostgresError('The database keeps nothing', undefined);
    },

    close: () => (closing ??= close()),

    administration: {
      async find(search) {
        const { id, owner, status, before = AFTER_ALL, limit, now } = search;
        const rows = await query(
          searchOf(search),
          ...[bytesOf(before), now, bytesOrNull(id), bytesOrNull(owner), status ?? null, limit],
        );
        return rows.map(toSummary);
      },
      async count(now) {
        const rows = await query('count', now);
        const counts = rows.map(({ status, n }) => [String(status), Number(n)] as const);
        return { ...NO_COUNTS, ...(Object.fromEntries(counts) as Partial<StatusCounts>) };
      },
      observe: (listener) => observeTasks(watch, () => query('newest'), listener),
      async remove(tasks) {
        const due = await withRetries(() =>
          query(
            'due',
            tasks.map(({ owner }) => bytesOf(owner)),
            tasks.map(({ dialect }) => dialect),
            tasks.map(({ id }) => bytesOf(id)),
            tasks.map(({ version }) => version),
          ),
        );
        if (due.length > 0) await expire(0, due.length);
        return due.length;
      },
    },
  };
}

function bytesOrNull(text: string | undefined): Buffer | null {
  return text === undefined ? null : bytesOf(text);
}

function changeOf({ owner, dialect, id, version }: TaskRecord): TaskChange {
  return { kind: 'changed', key: { owner, dialect, id }, version };
}

async function readSecret(pool: ConnectionPool, sql: Statements): Promise<Uint8Array> {
  const made = Buffer.from(randomBytes(SECRET_BYTES).toString('base64'));
  await pool.query(sql.addSetting, [CURSOR_SECRET, made]);
  const [row] = await pool.query(sql.readSetting, [CURSOR_SECRET]);
  return Buffer.from(textOf(row?.['value']), 'base64');
}

/** The statement whose index finds the fewest tasks. */
function searchOf({ id, owner, status }: TaskQuery): keyof Statements {
  if (id !== undefined) return 'findById';
  if (owner !== undefined) return 'findByOwner';
  if (status === 'failed') return 'findFailed';
  return status !== undefined && !isTerminal(status) ? 'findLive' : 'find';
}

/** Milliseconds between looks at the newest change: other nodes do not notify of tasks that they create. */
const LOOK_MS = 1_000;

/** Calls the listener at notifications, and when a look finds another newest change. */
function observeTasks(
  watch: (watcher: (change: TaskChange) => void) => () => void,
  newest: () => Promise<readonly Row[]>,
  listener: () => void,
): () => void {
  let last: string | undefined;
  let ended = false;

  async function look(): Promise<void> {
    // A server that is away is reported by the connection that listens.
    const rows = await newest().catch(() => undefined);
    if (ended) return;
    const found = rows && JSON.stringify(rows[0]);
    if (last !== undefined && found !== undefined && found !== last) listener();
    last = found ?? last;
    timer = setTimeout(() => void look(), LOOK_MS).unref();
  }

  let timer: NodeJS.Timeout | undefined;
  const unwatch = watch(() => listener());
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
    unwatch();
  };
}
