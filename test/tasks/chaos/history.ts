import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

import { isTerminal, type TaskRecord } from '../../../runtime/tasks/index.js';
import type { PostgresDatabase } from '../../support/postgres.js';
import type { Effect } from './effects.js';
import type { Ledger } from './ledger.js';
import type { ChaosResult } from './tools.js';

/**
 * Keeps every version of every task, in a table that only the database itself writes, by a trigger.
 * What nodes and clients report is checked against it.
 */
export async function keepHistory(database: PostgresDatabase): Promise<void> {
  await database.sql(`
    CREATE SCHEMA chaos;
    CREATE TABLE chaos.history (n bigserial, removed boolean, id text, summary text, steps text, outcome text);
    CREATE FUNCTION chaos.keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE task record;
    BEGIN
      IF TG_OP = 'DELETE' THEN task := OLD; ELSE task := NEW; END IF;
      INSERT INTO chaos.history (removed, id, summary, steps, outcome)
        VALUES (TG_OP = 'DELETE', convert_from(task.id, 'UTF8'), convert_from(task.summary, 'UTF8'),
          convert_from(task.steps, 'UTF8'), convert_from(task.outcome, 'UTF8'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep AFTER INSERT OR UPDATE OR DELETE ON mcp_tasks.tasks
      FOR EACH ROW EXECUTE FUNCTION chaos.keep()`);
}

export interface Tally {
  /** Tasks in the database, acknowledged or not. */
  readonly tasks: number;
  readonly acknowledged: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Times that a task changed hands. */
  readonly handovers: number;
  /** Steps whose work began, and steps whose result was recorded. */
  readonly stepRuns: number;
  readonly stepResults: number;
}

/** Throws at the first promise that was broken. */
export async function checkHistory(
  database: PostgresDatabase,
  ledger: Ledger,
  effectsFile: string,
): Promise<Tally> {
  const versions = await versionsOf(database);
  for (const task of versions.values()) checkTask(task);
  checkAcknowledged(versions, ledger);
  const last = [...versions.values()].map((task) => task.at(-1) as TaskRecord);
  for (const task of last) checkMayFail(task);
  const effects = readEffects(effectsFile);
  const stepRuns = checkEffects(effects, new Map(last.map((task) => [task.id, task])));
  const count = (status: string): number => last.filter((task) => task.status === status).length;
  return {
    tasks: last.length,
    acknowledged: ledger.ids.size,
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    handovers: last.reduce((sum, { fence }) => sum + fence - 1, 0),
    stepRuns,
    stepResults: last.reduce((sum, { steps }) => sum + resultsOf(steps).size, 0),
  };
}

/** Only `once` fails because a process stopped. Others may have been lost too often. */
function checkMayFail({ id, tool, status, outcome = '' }: TaskRecord): void {
  const mayFail = tool === 'once' || status !== 'failed' || outcome.includes('is given up');
  assert.ok(mayFail, `${tool} ${id} failed: ${outcome}`);
}

async function versionsOf(database: PostgresDatabase): Promise<Map<string, TaskRecord[]>> {
  const rows = await database.sql('SELECT * FROM chaos.history ORDER BY n');
  const versions = new Map<string, TaskRecord[]>();
  for (const { removed, id, summary, steps, outcome } of rows) {
    assert.equal(removed, false, `${String(id)} was removed long before it expires`);
    const record = {
      ...(JSON.parse(String(summary)) as TaskRecord),
      steps: JSON.parse(String(steps)) as TaskRecord['steps'],
      ...(typeof outcome === 'string' && { outcome }),
    };
    const task = versions.get(record.id) ?? [];
    versions.set(record.id, task);
    task.push(record);
  }
  for (const task of versions.values()) task.sort((a, b) => a.version - b.version);
  return versions;
}

/** One task's versions: numbered without a gap, none after the end, no result that changes or is lost. */
function checkTask(versions: readonly TaskRecord[]): void {
  versions.forEach((task, index) => {
    assert.equal(task.version, index + 1, `versions of ${task.id}`);
    const before = versions[index - 1];
    if (before === undefined) return;
    assert.ok(!isTerminal(before.status), `${task.id} changed after it was ${before.status}`);
    const taken = task.fence - before.fence;
    assert.ok(taken === 0 || taken === 1, `the fence of ${task.id}`);
    const results = resultsOf(task.steps);
    for (const [name, result] of resultsOf(before.steps)) {
      assert.equal(results.get(name), result, `the result of ${name} of ${task.id}`);
    }
  });
  const last = versions.at(-1);
  assert.ok(last && isTerminal(last.status), `${last?.id} has not ended: ${JSON.stringify(last)}`);
}

function checkAcknowledged(
  versions: ReadonlyMap<string, readonly TaskRecord[]>,
  ledger: Ledger,
): void {
  const keys = new Map<string, string>();
  for (const [task] of versions.values()) {
    if (task?.idempotency === undefined) continue;
    const { key } = task.idempotency;
    assert.equal(keys.get(key), undefined, `two tasks have the idempotency key ${key}`);
    keys.set(key, task.id);
  }
  for (const [key, id] of ledger.ids) {
    assert.equal(keys.get(key), id, `${id}, created with the key ${key}, is lost`);
  }
  for (const [id, { status, text }] of ledger.ends) {
    const task = versions.get(id)?.at(-1);
    assert.equal(task?.status, status, `${id} was seen to end otherwise`);
    if (text !== undefined)
      assert.equal(textOf(task), text, `${id} was seen to return another text`);
  }
}

/** Nothing ran again after its result was recorded, nor what may not be repeated. */
function checkEffects(effects: readonly Effect[], tasks: ReadonlyMap<string, TaskRecord>): number {
  const started = new Set<string>();
  const recorded = new Map<string, string>();
  let runs = 0;
  for (const effect of effects) {
    if (effect.what === 'starts') {
      const isRepeated = started.has(effect.task) && effect.tool === 'once';
      assert.ok(!isRepeated, `${effect.task} may not be repeated and was`);
      started.add(effect.task);
      continue;
    }
    const step = `${effect.step} of ${effect.task}`;
    const before = recorded.get(step);
    if (effect.what === 'runs') {
      runs += 1;
      assert.equal(before, undefined, `${step} was finished and ran again on ${effect.node}`);
      continue;
    }
    assert.equal(before ?? effect.token, effect.token, `${step} has two results`);
    recorded.set(step, effect.token);
    const stored = resultsOf(tasks.get(effect.task)?.steps ?? []).get(effect.step);
    assert.equal(stored, effect.token, `${step} was recorded and is lost`);
  }
  for (const task of tasks.values()) checkResult(task);
  return runs;
}

/** What a task returned is of its last attempt, and holds its steps' results and its answer. */
function checkResult(task: TaskRecord): void {
  if (task.status !== 'completed') return;
  const { attempt, steps, answer } = JSON.parse(textOf(task) ?? '') as ChaosResult;
  assert.equal(attempt, task.attempt, `an earlier run of ${task.id} has written its end`);
  assert.deepEqual(new Map(Object.entries(steps)), resultsOf(task.steps), `steps of ${task.id}`);
  if (task.tool === 'asks') assert.equal(answer, `${task.id}/which`, `the answer of ${task.id}`);
}

function resultsOf(steps: TaskRecord['steps']): Map<string, string> {
  return new Map(
    steps.flatMap(({ name, result }) =>
      result === undefined ? [] : [[name, JSON.parse(result) as string]],
    ),
  );
}

function textOf(task: TaskRecord | undefined): string | undefined {
  const outcome = JSON.parse(task?.outcome ?? '{}') as {
    result?: { content?: { text?: string }[] };
  };
  return outcome.result?.content?.[0]?.text;
}

function readEffects(file: string): readonly Effect[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Effect);
}
