import type { ConnectionOptions } from 'node:tls';

import type { Pool } from 'pg';

import {
  atMost,
  type DirectCall,
  type ExecutorHost,
  type ExecutorUsage,
  type Reservation,
  type TaskExecutor,
  type TaskRecord,
  type TaskSummary,
} from '../../tasks/index.js';
import { storeError } from '../../stores/postgres/connection/index.js';
import { createRecovery, newWorkerName, Runs, type Recovery } from '../shared/index.js';
import { Claims } from './claims.js';
import { assertSessions, openPool } from './database.js';
import { Dispatch } from './dispatch.js';
import { startHeadroom } from './headroom.js';
import { startJanitor } from './janitor.js';
import { createNames, type Names } from './names.js';
import { completeOptions, type CompleteOptions, type DbosOptions } from './options.js';
import { loadPackages } from './packages.js';
import { openWorkflowQueue, type WorkflowQueue } from './queue.js';
import { AlreadyRunningError, closeWorker, launchWorker, migrateTables } from './worker.js';

export type { DbosOptions, NodeRole } from './options.js';

/**
 * Runs tasks on several nodes that share a database. DBOS Transact decides which worker runs which task and when;
 * the task store decides everything else. Needs the packages `@dbos-inc/dbos-sdk` and `pg`.
 *
 * Throws a RangeError for an option that makes no sense.
 */
export function createDbosExecutor(options: DbosOptions = {}): TaskExecutor {
  return new DbosExecutor(completeOptions(options));
}

export interface MigrateDbosOptions {
  /** As for {@link createDbosExecutor}. */
  readonly connectionString?: string;
  /** As for {@link createDbosExecutor}. */
  readonly ssl?: boolean | ConnectionOptions;
  /** Default `dbos`. */
  readonly schema?: string;
  /** A role that may use the tables from now on: that of the nodes, which then set `migrate: false`. */
  readonly role?: string;
}

/**
 * Creates or updates DBOS's tables, for a role that may. A worker does it too, unless `migrate` is false. Rejects in a
 * process in which a worker runs.
 */
export async function migrateDbos(options: MigrateDbosOptions = {}): Promise<void> {
  await loadPackages();
  const { role, ...rest } = options;
  const complete = completeOptions(rest);
  await assertSessions(complete);
  const report = (): void => undefined; // What fails rejects.
  await migrateTables(
    { options: complete, names: createNames(complete), worker: newWorkerName(), report },
    role,
  );
}

/** For each of the last writes of a node that closes. */
const CLOSE_MS = 2_000;

class DbosExecutor implements TaskExecutor {
  /** This node: it answers for the tasks that carry its name, whether they run here or wait to run anywhere. */
  readonly worker = newWorkerName();
  readonly #options: CompleteOptions;
  readonly #names: Names;
  // Set by `start`, which the engine calls first.
  #host!: ExecutorHost;
  #pool!: Pool;
  #queue!: WorkflowQueue;
  #runs!: Runs;
  #dispatch!: Dispatch;
  #recovery!: Recovery;
  /** Absent on a node that runs no tasks. */
  #claims: Claims | undefined;
  /** Ends what this node does every now and then. */
  readonly #background: (() => void)[] = [];
  #closed = false;
  #draining: Promise<void> | undefined;

  constructor(options: CompleteOptions) {
    this.#options = options;
    this.#names = createNames(options);
  }

  async start(host: ExecutorHost): Promise<void> {
    await loadPackages();
    try {
      await this.#start(host);
    } catch (error) {
      if (error instanceof AlreadyRunningError) throw error;
      throw storeError(error, 'Cannot start the DBOS executor');
    }
  }

  async #start(host: ExecutorHost): Promise<void> {
    const { worker } = this;
    const { leaseMs, role } = this.#options;
    this.#host = host;
    await assertSessions(this.#options);
    this.#pool = openPool(this.#options);
    this.#queue = await openWorkflowQueue({
      options: this.#options,
      names: this.#names,
      pool: this.#pool,
      report: this.#report,
    });
    this.#runs = new Runs(host, this.#options);
    this.#dispatch = new Dispatch({ host, queue: this.#queue, leaseMs });
    this.#recovery = createRecovery({
      host,
      worker,
      leaseMs,
      holds: (task) => this.#holds(task),
      submit: (task) => this.#submit(task),
    });
    try {
      // The lease comes before the first task.
      await this.#recovery.lease();
      if (role !== 'web') await this.#launch();
    } catch (error) {
      // Once DBOS runs, it may have claimed workflows.
      await (this.#claims === undefined ? this.#pool.end() : this.close(0));
      throw error;
    }
    this.#dispatch.start();
    await this.#recovery.start();
  }

  async reserve(): Promise<Reservation> {
    await this.#recovery.lease();
    return {
      immediate: false,
      cancel: () => undefined,
      submit: (task) => this.#submit(task),
      unconfirmed: (task) => this.#recovery.unconfirmed(task),
    };
  }

  call<T>(call: DirectCall<T>): Promise<T> {
    return this.#runs.call(call);
  }

  usage(): ExecutorUsage {
    return this.#runs.usage();
  }

  drain(): Promise<void> {
    return (this.#draining ??= this.#drain());
  }

  async #drain(): Promise<void> {
    this.#closed = true;
    this.#background.forEach((stop) => stop());
    this.#runs.close();
    this.#claims?.close();
    if (this.#claims !== undefined) await closeWorker().catch(this.#host.report);
    await this.#recovery.stop();
    await this.#runs.giveUpWaiting();
  }

  async close(drainMs: number): Promise<void> {
    await this.drain();
    await this.#runs.drained(drainMs);
    await this.#runs.giveUpRunning();
    // While the database is away DBOS waits for it. Other nodes find these tasks by their leases.
    await atMost(this.#host.clock, CLOSE_MS, this.#dispatch.stop());
    if (this.#claims !== undefined)
      await atMost(this.#host.clock, CLOSE_MS, this.#claims.handBack());
    // What waits for a worker is found by the other nodes, and runs meanwhile.
    await this.#recovery.end();
    await this.#queue.close();
    await atMost(this.#host.clock, CLOSE_MS, this.#pool.end());
  }

  async #launch(): Promise<void> {
    const claims = new Claims({
      host: this.#host,
      worker: this.worker,
      runs: this.#runs,
      dispatch: this.#dispatch,
      queue: this.#queue,
    });
    const [host, queue] = [this.#host, this.#queue];
    const { commonQueue, toolQueues } = this.#names;
    await launchWorker({
      options: this.#options,
      names: this.#names,
      pool: this.#pool,
      worker: this.worker,
      report: this.#report,
      run: (task) => claims.run(task),
    });
    this.#claims = claims;
    for (const definition of [commonQueue, ...toolQueues]) await queue.define(definition);
    const away = (): number => this.#runs.away;
    this.#background.push(
      startHeadroom({ host, queue, definition: commonQueue, away }),
      startJanitor({ host, queue, historyMs: this.#options.historyMs }),
    );
  }

  /** DBOS complains about what a shutdown interrupts; recovery takes care of that. */
  readonly #report = (error: unknown): void => {
    if (!this.#closed) this.#host.report(error);
  };

  #holds(task: TaskSummary): boolean {
    return this.#runs.holds(task) || this.#dispatch.holds(task);
  }

  /** Hands a task over to the workers, unless this very attempt has been. */
  #submit(task: TaskRecord): void {
    this.#recovery.confirmed(task);
    if (!this.#holds(task)) this.#dispatch.submit(task);
  }
}
