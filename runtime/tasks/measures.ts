import { type Observed, type OpenTelemetryApi, SCOPE, seconds } from '../telemetry/index.js';
import { type TaskSummary, workStatus } from './record.js';
import { type Measures, NO_MEASURES } from './recorder.js';

/** Seconds, up to a day: tasks live longer than calls. */
const LIFETIMES = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];
/** Seconds: a store answers within milliseconds. */
const STORE_DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Call it after the SDK of OpenTelemetry is set up. Before, the API hands out metrics that stay empty. */
export function createMeasures(api: OpenTelemetryApi): Measures {
  const meter = api.metrics.getMeter(SCOPE);
  if (meter === api.createNoopMeter()) return NO_MEASURES;

  const created = meter.createCounter('mcp.tasks.created', {
    unit: '{task}',
    description: 'Tasks that were created',
  });
  const ended = meter.createCounter('mcp.tasks.ended', {
    unit: '{task}',
    description: 'Tasks that were completed, failed or cancelled here',
  });
  const refused = meter.createCounter('mcp.tasks.refused', {
    unit: '{request}',
    description: 'Requests about tasks, and HTTP requests, that were refused',
  });
  const eagerPolls = meter.createCounter('mcp.tasks.eager_polls', {
    unit: '{request}',
    description: 'Polls of a live task within half its poll interval',
  });
  const recovered = meter.createCounter('mcp.tasks.recovered', {
    unit: '{task}',
    description: 'Tasks that were taken over from a lost worker',
  });
  const renewals = meter.createCounter('mcp.tasks.lease.renewals', {
    unit: '{renewal}',
    description: 'Renewals of the lease of this worker',
  });
  const lifetime = meter.createHistogram(
    'mcp.tasks.lifetime',
    seconds('From the creation of a task until it ended', LIFETIMES),
  );
  const storeDuration = meter.createHistogram(
    'mcp.tasks.store.operation.duration',
    seconds('From the call of an operation of the store until it was done', STORE_DURATIONS),
  );
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description });
  const running = gauge('mcp.tasks.running', '{task}', 'Tasks whose handlers run here');
  const waiting = gauge('mcp.tasks.waiting_for_input', '{task}', 'Tasks here that wait for input');
  const paused = gauge('mcp.tasks.paused', '{task}', 'Tasks here whose handlers pause');
  const queued = gauge('mcp.tasks.queued', '{task}', 'Tasks and calls here that wait for a slot');
  const taken = gauge('mcp.tasks.slots.used', '{slot}', 'Slots that are taken');
  const slots = gauge('mcp.tasks.slots.limit', '{slot}', 'Slots that there are');

  /** Runs an operation of the store and records how long it took, and its class of error. */
  async function timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    let failed = true;
    try {
      const result = await work();
      failed = false;
      return result;
    } finally {
      const error = failed ? { 'error.type': 'store_fault' } : {};
      storeDuration.record((performance.now() - began) / 1_000, {
        'mcp.tasks.store.operation': operation,
        ...error,
      });
      if (operation === 'renew') renewals.add(1, error);
    }
  }

  return {
    created: (task) => created.add(1, attributesOf(task)),
    ended(task) {
      const attributes = { ...attributesOf(task), 'mcp.task.status': workStatus(task) };
      ended.add(1, attributes);
      lifetime.record((task.updatedAt - task.createdAt) / 1_000, attributes);
    },
    refused: (reason) => refused.add(1, { 'error.type': reason }),
    eagerPoll: () => eagerPolls.add(1),
    recovered: (task) => recovered.add(1, attributesOf(task)),
    observe(load) {
      const all = [running, waiting, paused, queued, taken, slots];
      const observe = (result: Observed): void => {
        const now = load();
        result.observe(running, now.running);
        result.observe(waiting, now.waiting);
        result.observe(paused, now.paused);
        if (now.queued !== undefined) result.observe(queued, now.queued);
        if (now.taken !== undefined) result.observe(taken, now.taken);
        if (now.slots !== undefined) result.observe(slots, now.slots);
      };
      meter.addBatchObservableCallback(observe, all);
      return () => meter.removeBatchObservableCallback(observe, all);
    },
    measured(store) {
      const watch = store.watch?.bind(store);
      const now = store.now?.bind(store);
      return {
        secret: () => store.secret(),
        insert: (record, caps) => timed('insert', () => store.insert(record, caps)),
        get: (key) => timed('get', () => store.get(key)),
        update: (next) => timed('update', () => store.update(next)),
        list: (caller, page) => timed('list', () => store.list(caller, page)),
        expire: (at, limit) => timed('expire', () => store.expire(at, limit)),
        renew: (worker, until) => timed('renew', () => store.renew(worker, until)),
        orphans: (at, limit) => timed('orphans', () => store.orphans(at, limit)),
        probe: () => timed('probe', () => store.probe()),
        ...(watch && { watch }),
        ...(now && { now }),
        close: () => store.close(),
        ...(store.administration && { administration: store.administration }),
      };
    },
  };
}

function attributesOf({ method, tool }: TaskSummary): Record<string, string> {
  return {
    'mcp.method.name': method,
    ...(tool !== undefined && { 'gen_ai.tool.name': tool }),
  };
}
