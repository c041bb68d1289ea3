import { describe, expect, it } from 'vitest';
import { assertKnown, ON_DEMAND } from '../../../runtime/peer/wire/on-demand.js';
import {
  claimedIn,
  type InvalidMessage,
  messagesOf,
  withoutValues,
  dialectRevision,
  loadDialect,
  loadRevisions,
  offeredVersions,
  type RevisionSource,
  tasksExtension,
} from '../../../runtime/peer/wire/revision.js';
import { CACHEABLE, NOT_CACHED } from '../../../runtime/rules/messages.js';
import { META_KEYS, PROTOCOL_VERSIONS, type RevisionVersion } from '../../../runtime/protocol.js';
import { revisions } from '../revisions.js';

const { core, ext } = await revisions();

describe('a problem without values', () => {
  const problem = (...faults: readonly (readonly [pointer: string, expected: string])[]) =>
    ({
      code: -32602,
      message: '/params/secret: hunter2',
      faults: faults.map(([pointer, expected]) => ({ pointer, expected, message: 'hunter2' })),
    }) satisfies InvalidMessage;

  it.each([
    ['/params/name', '/name must be text'],
    ['/result/name', '/name must be text'],
    ['/params', 'it must be text'],
    ['', 'it must be text'],
    ['/params/inner/secret/deep', 'a part of /inner must be text'],
    ['/paramsOfMine/secret', 'a part of /paramsOfMine must be text'],
    ['/method', '/method must be text'],
  ])('at %j has the first name of the path', (pointer, expected) => {
    expect(withoutValues(problem([pointer, 'text']))).toBe(expected);
  });

  it('names each place once', () => {
    const faults = problem(['/params/a', 'text'], ['/params/a', 'text'], ['/params/b', 'a number']);
    expect(withoutValues(faults)).toBe('/a must be text; /b must be a number');
  });
});

describe('a revision', () => {
  const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

  it('says what it is and who asks in it', () => {
    expect([core.version, core.dialect]).toEqual(['2025-11-25', 'core']);
    expect([ext.version, ext.dialect]).toEqual(['2026-07-28', 'ext']);
    expect([...core.requesters].sort()).toEqual(['client', 'server']);
    expect([...ext.requesters]).toEqual(['client']);
  });

  it('has the requests and notifications of its extension', () => {
    expect(ext.requests).toHaveProperty(['tasks/get']);
    expect(ext.requests).toHaveProperty(['tools/call']);
    expect(ext.notifications).toHaveProperty(['notifications/progress']);
    expect(ext.notifications).toHaveProperty(['notifications/tasks']);
  });

  it('judges messages, and passes over methods that it does not have', () => {
    expect(core.check(call({ name: 'it' }), 'client')).toBeUndefined();
    expect(core.check({ ...call({}), method: 'none/such' }, 'client')).toBeUndefined();
    const problem = core.check(call({ name: 7 }), 'client');
    expect(problem).toMatchObject({ code: -32602, faults: [{ pointer: '/params/name' }] });
    expect(problem?.message).toBe(problem?.faults.map(({ message }) => message).join(' '));
  });

  it('says at most five faults of a message', () => {
    const content = Array.from({ length: 9 }, () => ({ type: 'text' }));
    expect(core.checkToolResult({ content })?.faults).toHaveLength(5);
    expect(core.checkResult('tools/call', { content })?.faults).toHaveLength(5);
    const messages = content.map(() => ({ role: 'user' }));
    const params = { messages, maxTokens: 1 };
    for (const revision of [core, ext]) {
      expect(revision.checkQuestion('sampling/createMessage', params)?.faults).toHaveLength(5);
    }
    const sampling = { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params };
    expect(core.check(sampling, 'server')?.faults).toHaveLength(5);
  });

  it('judges the results of requests', () => {
    expect(core.checkResult('tools/call', { content: [] })).toBeUndefined();
    expect(core.checkResult('tools/call', { content: 7 })).toBeDefined();
    expect(ext.checkResult('tasks/get', { content: 7 })).toBeDefined();
  });

  it('judges the results of tools as faults of the server', () => {
    for (const revision of [core, ext]) {
      expect(revision.checkToolResult({ content: [], resultType: 'complete' })).toBeUndefined();
      expect(revision.checkToolResult({ content: 7 })).toMatchObject({ code: -32603 });
    }
  });

  it('judges questions, in messages of their own or not', () => {
    const form = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
    for (const revision of [core, ext]) {
      expect(revision.checkQuestion('elicitation/create', form)).toBeUndefined();
      expect(revision.checkQuestion('elicitation/create', { message: 7 })).toBeDefined();
    }
    expect(ext.checkQuestion('elicitation/create', { message: 7 })).toMatchObject({ code: -32603 });
  });

  it('is named by a message without a session', () => {
    const _meta = { [META_KEYS.protocolVersion]: '2026-07-28' };
    expect(claimedIn(call({ _meta }))).toBe('2026-07-28');
    expect(claimedIn(call({}))).toBeUndefined();
  });
});

it('faults are read as sentences', () => {
  expect(messagesOf([{ message: 'One.' }, { message: 'Two.' }])).toBe('One. Two.');
});

it('what clients may keep is what the revision marks', () => {
  expect([...CACHEABLE].sort()).toEqual([
    'prompts/list',
    'resources/list',
    'resources/read',
    'resources/templates/list',
    'server/discover',
    'tools/list',
  ]);
  for (const method of CACHEABLE) expect(ext.requests).toHaveProperty([method]);
  expect(NOT_CACHED).toEqual({ ttlMs: 0, cacheScope: 'private' });
});

describe('the revisions to offer', () => {
  it('are all, newest first, in the order of the protocol', () => {
    expect(offeredVersions()).toEqual(PROTOCOL_VERSIONS);
    expect(offeredVersions(['2025-06-18', '2025-11-25'])).toEqual(['2025-11-25', '2025-06-18']);
  });

  it.each<[readonly string[], string]>([
    [[], '`revisions` is empty: name at least one revision, or remove the option'],
    [
      ['2024-11-05', '2025-06-18'],
      'Revision 2024-11-05 needs 2025-11-25 as well: add it to `revisions`',
    ],
  ])('may not be %j', (versions, message) => {
    expect(() => offeredVersions(versions)).toThrow(new RangeError(message));
  });

  it('are known by their names', () => {
    expect(() => assertKnown(PROTOCOL_VERSIONS)).not.toThrow();
    const known = PROTOCOL_VERSIONS.join(', ');
    expect(() => assertKnown(['2025-11-25', 'latest'])).toThrow(
      new RangeError(`Unknown revision "latest": choose from ${known}`),
    );
  });
});

describe('the modules of revisions', () => {
  /** Notes what is loaded, in which order. */
  function noted(): RevisionSource & { readonly asked: string[] } {
    const asked: string[] = [];
    return {
      asked,
      modules(version) {
        asked.push(version);
        return ON_DEMAND.modules(version);
      },
      tasksExtension: () => ON_DEMAND.tasksExtension(),
    };
  }

  it('are loaded at first for tasks and for messages without sessions, later ones once', async () => {
    const source = noted();
    const { versions, loaded, load } = await loadRevisions(offeredVersions(), false, source);
    expect(versions).toEqual(PROTOCOL_VERSIONS);
    expect(source.asked).toEqual(['2026-07-28', '2025-11-25']);
    expect([...loaded.keys()]).toEqual(['2026-07-28', '2025-11-25']);
    const older = await load('2024-11-05');
    expect(older.version).toBe('2024-11-05');
    expect(await load('2024-11-05')).toBe(older);
    expect(await load('2025-11-25')).toBe(loaded.get('2025-11-25'));
    expect(source.asked).toEqual(['2026-07-28', '2025-11-25', '2024-11-05']);
    expect(loaded.get('2024-11-05')).toBe(older);
  });

  it('of each revision are its own', async () => {
    const { load } = await loadRevisions(offeredVersions(), false, ON_DEMAND);
    const has = async (version: RevisionVersion, method: string): Promise<boolean> =>
      method in (await load(version)).requests;
    for (const version of PROTOCOL_VERSIONS) {
      expect(await has(version, 'tools/call')).toBe(true);
      expect(await has(version, 'elicitation/create')).toBe(
        ['2025-06-18', '2025-11-25', '2026-07-28'].includes(version),
      );
      expect(await has(version, 'tasks/result')).toBe(version === '2025-11-25');
      expect(await has(version, 'server/discover')).toBe(version === '2026-07-28');
    }
  });

  it('have the tasks extension only for servers that serve it', async () => {
    const without = await loadRevisions(offeredVersions(), false, ON_DEMAND);
    expect(without.loaded.get('2026-07-28')?.requests).not.toHaveProperty(['tasks/get']);
    const { loaded } = await loadRevisions(offeredVersions(), true, ON_DEMAND);
    expect(loaded.get('2026-07-28')?.requests).toHaveProperty(['tasks/get']);
    expect(loaded.get('2025-11-25')?.requests).not.toHaveProperty(['tasks/update']);
    expect(tasksExtension()).toHaveProperty('validateTaskSubscriptionNotifications');
  });

  it('of a dialect that is loaded are not loaded again', async () => {
    const source = noted();
    await loadDialect('core', source);
    await loadDialect('ext', source);
    expect(source.asked).toEqual([]);
    expect(dialectRevision('core').version).toBe('2025-11-25');
    expect(dialectRevision('ext').version).toBe('2026-07-28');
  });

  it('that the source does not have reject a load, and a later one may succeed', async () => {
    let broken = true;
    const source: RevisionSource = {
      ...ON_DEMAND,
      modules: (version) =>
        broken && version === '2024-11-05'
          ? Promise.reject(new Error('not in this bundle'))
          : ON_DEMAND.modules(version),
    };
    const { load } = await loadRevisions(offeredVersions(), false, source);
    await expect(load('2024-11-05')).rejects.toThrow('not in this bundle');
    broken = false;
    expect((await load('2024-11-05')).version).toBe('2024-11-05');
  });
});
