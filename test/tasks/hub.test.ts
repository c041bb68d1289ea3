import { describe, expect, it } from 'vitest';
import { type TaskEvent, type TaskKey } from '../../runtime/tasks/index.js';
import { createHub } from '../../runtime/tasks/hub.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';

const LIMITS = { listenersPerOwner: 1_000, listeners: 1_000, retryAfterMs: 700 };
const TASK = sampleTask(1);
const key = (parts: Partial<TaskKey> = {}): TaskKey => ({
  owner: TASK.owner,
  dialect: TASK.dialect,
  id: TASK.id,
  ...parts,
});

function listening(limits: Partial<typeof LIMITS> = {}) {
  const hub = createHub({ ...LIMITS, ...limits });
  const events: TaskEvent[] = [];
  const end = hub.subscribe(key(), (event) => events.push(event));
  return { hub, events, end };
}

const changed = (version: number, parts = {}) => ({ ...TASK, version, ...parts });
const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a listener', () => {
  it('gets each version once, and only newer ones', () => {
    const { hub, events } = listening();
    for (const version of [2, 2, 1, 3]) hub.changed(changed(version));
    expect(events).toEqual([2, 3].map((version) => ({ type: 'changed', task: changed(version) })));
    expect(hub.seen(key())).toBe(3);
  });

  it('gets only greater progress, also from what another process wrote, before the change', () => {
    const { hub, events } = listening();
    hub.progress(key(), { progress: 1 });
    hub.progress(key(), { progress: 1 });
    hub.progress(key(), { progress: NaN });
    hub.changed(changed(2, { progress: { progress: 0.5 } }));
    hub.changed(changed(3, { progress: { progress: 2, message: 'x' } }));
    hub.progress(key(), { progress: 2 });
    expect(
      events.map((event) => (event.type === 'progress' ? event.progress.progress : event.type)),
    ).toEqual([1, 'changed', 2, 'changed']);
  });

  it('gets the events of its own task alone', () => {
    const { hub, events } = listening();
    for (const other of [{ id: 'other' }, { owner: 'other' }, { dialect: 'ext' as const }]) {
      hub.progress(key(other), { progress: 1 });
      hub.removed(key(other));
      hub.changed(changed(2, other));
    }
    expect(events).toEqual([]);
  });

  it('gets the removal of its task, and the end of the engine', () => {
    const { hub, events } = listening();
    hub.removed(key());
    hub.close();
    expect(events).toEqual([{ type: 'removed' }, { type: 'closed' }]);
  });

  it('gets nothing after its end, and others still do', () => {
    const { hub, events, end } = listening();
    const others: TaskEvent[] = [];
    hub.attach(key(), (event) => others.push(event));
    end();
    hub.changed(changed(2));
    expect([events.length, others.length]).toEqual([0, 1]);
  });

  it('that fails does not keep events from others', () => {
    const hub = createHub(LIMITS);
    const events: TaskEvent[] = [];
    hub.attach(key(), () => {
      throw new Error('own fault');
    });
    hub.attach(key(), (event) => events.push(event));
    hub.changed(changed(2));
    hub.close();
    expect(events.map(({ type }) => type)).toEqual(['changed', 'closed']);
  });

  it('that begins after all others ended starts anew', () => {
    const { hub, end } = listening();
    hub.changed(changed(5));
    end();
    expect(hub.seen(key())).toBeUndefined();
    const events: TaskEvent[] = [];
    const endOfSecond = hub.subscribe(key(), (event) => events.push(event));
    expect(hub.seen(key())).toBe(0);
    // The end of the first may not take the second with it.
    end();
    hub.changed(changed(2));
    expect(events).toHaveLength(1);
    endOfSecond();
    expect(hub.seen(key())).toBeUndefined();
  });
});

describe('the places of listeners', () => {
  it('are counted for each owner, and free again at the end', () => {
    const { hub, end } = listening({ listenersPerOwner: 2 });
    const second = hub.subscribe(key({ id: 'b' }), () => undefined);
    expect(refusalOf(() => hub.subscribe(key({ id: 'c' }), () => undefined))).toMatchObject({
      code: 429,
      message: 'Limit listenersPerOwner (2) reached; retry in 700 ms',
      data: { limit: 'listenersPerOwner', max: 2, retryAfterMs: 700 },
    });
    hub.subscribe(key({ owner: 'other' }), () => undefined);
    end();
    end();
    hub.subscribe(key({ id: 'c' }), () => undefined);
    expect(refusalOf(() => hub.subscribe(key(), () => undefined))).toMatchObject({ code: 429 });
    second();
  });

  it('are not taken by listeners of the engine', () => {
    const hub = createHub({ ...LIMITS, listeners: 1, listenersPerOwner: 1 });
    for (let n = 0; n < 5; n += 1) hub.attach(key(), () => undefined);
    hub.subscribe(key(), () => undefined);
    hub.attach(key(), () => undefined);
  });

  it('are all taken by one subject up to half, then up to 100', () => {
    const hub = createHub({ ...LIMITS, listeners: 500 });
    const take = (owner: string, subjectKey?: string): number => {
      const parts = subjectKey === undefined ? {} : { subjectKey };
      for (let taken = 0; ; taken += 1) {
        const refused = refusalOf(() => hub.subscribe(key({ owner, ...parts }), () => undefined));
        if (typeof refused === 'function') continue;
        expect(refused).toMatchObject({
          message: 'Limit listeners (500) reached; retry in 700 ms',
          data: { limit: 'listeners', max: 500, retryAfterMs: 700 },
        });
        return taken;
      }
    };
    expect([take('a/1', 'a'), take('a/2', 'a'), take('b'), take('c'), take('d')]).toEqual([
      250, 0, 100, 100, 50,
    ]);
  });
});
