import { describe, expect, it } from 'vitest';
import { COLOURED, PLAIN } from '../../generator/diagnostics/index.js';
import {
  countDefinitions,
  diffAsMarkdown,
  diffAsText,
  diffProtocols,
} from '../../generator/diff/index.js';
import type { ProtocolDiff } from '../../generator/diff/index.js';
import {
  buildProtocol,
  groupMembers,
  listedMessages,
  MESSAGE_GROUPS,
  methodsOf,
} from '../../generator/ir/index.js';
import { type Definition, type Node, resolve } from '../../json-schema/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import { loadRevision, REVISIONS } from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';

async function diff(before: string, after: string): Promise<ProtocolDiff> {
  const [a, b] = await Promise.all([readProtocol(before), readProtocol(after)]);
  return diffProtocols(a.protocol, b.protocol);
}

const newest = await diff('2025-11-25', '2026-07-28');

describe('between revisions', () => {
  it.each([
    ['2024-11-05', '2025-03-26', { added: 5, removed: 1, changed: 13 }],
    ['2025-03-26', '2025-06-18', { added: 11, removed: 3, changed: 27 }],
    ['2025-06-18', '2025-11-25', { added: 55, removed: 1, changed: 53 }],
    ['2025-11-25', '2026-07-28', { added: 42, removed: 32, changed: 60 }],
  ])('%s and %s, as many definitions differ as upstream', async (before, after, count) => {
    expect(countDefinitions(await diff(before, after))).toMatchObject(count);
  });

  it('finds no change between a revision and itself', async () => {
    const { definitions, methods } = await diff('2026-07-28', '2026-07-28');
    expect([...Object.values(definitions), ...Object.values(methods)].flat()).toEqual([]);
  });

  it('reverses the changes when the arguments are swapped', async () => {
    const back = await diff('2026-07-28', '2025-11-25');
    expect(back.definitions.added).toEqual(newest.definitions.removed);
    expect(back.methods.removed.map(({ method }) => method)).toEqual(
      newest.methods.added.map(({ method }) => method),
    );
    expect(back.definitions.changed.map(({ name }) => name)).toEqual(
      newest.definitions.changed.map(({ name }) => name),
    );
  });
});

describe('the sides that a change affects', () => {
  const definition = (name: string) =>
    newest.definitions.changed.find((each) => each.name === name);
  const method = (name: string) => newest.methods.changed.find((each) => each.method === name);

  it('are found from the messages', () => {
    expect(definition('ListToolsResult')).toMatchObject({ sentBy: ['server'] });
    expect(definition('CompleteRequestParams')).toMatchObject({ sentBy: ['client'] });
    expect(definition('TextContent')).toMatchObject({ sentBy: ['client', 'server'] });
    expect(definition('JSONRPCErrorResponse')?.sentBy ?? []).toEqual([]);
  });

  it('are the servers for a required property in a result', () => {
    expect(definition('ListToolsResult')?.changes).toContainEqual({
      path: 'resultType',
      kind: 'added',
      after: 'required, string',
      breaks: ['sender'],
    });
    expect(diffAsText(newest, PLAIN)).toContain(
      '    ! resultType added: required, string  breaks servers that send it\n',
    );
  });

  it('include the clients for an unrequested kind of result, but not for a task', async () => {
    expect(method('tools/call')?.changes).toMatchObject([{ field: 'result', breaks: ['sender'] }]);
    const older = await diff('2025-06-18', '2025-11-25');
    const call = older.methods.changed.find((each) => each.method === 'tools/call');
    expect(call?.changes.find(({ field }) => field === 'result')).toMatchObject({
      after: 'CallToolResult | CreateTaskResult',
      breaks: [],
    });
  });

  it('include the receivers of an added request unless it needs a new capability', async () => {
    expect(newest.methods.added).toContainEqual({
      method: 'server/discover',
      kind: 'request',
      senders: ['client'],
      breaks: ['receiver'],
    });
    const older = await diff('2025-03-26', '2025-06-18');
    expect(older.methods.added).toEqual([
      { method: 'elicitation/create', kind: 'request', senders: ['server'], breaks: [] },
    ]);
  });

  it('include the side that may no longer send a message', () => {
    expect(method('notifications/progress')?.changes).toEqual([
      {
        field: 'senders',
        before: 'client, server',
        after: 'server',
        sentBy: ['client'],
        breaks: ['receiver'],
      },
    ]);
  });

  it('do not depend on the JSON-RPC envelope', async () => {
    const older = await diff('2025-06-18', '2025-11-25');
    const ping = older.definitions.changed.find(({ name }) => name === 'PingRequest');
    expect(ping?.changes.filter(({ path }) => path === 'id' || path === 'jsonrpc')).toMatchObject([
      { kind: 'added', breaks: [] },
      { kind: 'added', breaks: [] },
    ]);
  });
});

describe('a method that the unions no longer list', () => {
  it.each(REVISIONS.filter((revision) => !revision.startsWith('ext-')))(
    'is removed, and added on the way back, although its definition stays: %s',
    (revision) => {
      const whole = buildProtocol(loadRevision(revision).document);
      const sent = listedMessages(whole).filter(
        (each) => each.kind === 'notification' || each.carrier === 'message',
      );
      expect(sent.length).toBeGreaterThan(10);
      for (const { method, kind, senders } of sent) {
        const less = unlisted(revision, method);
        const { definitions, methods } = diffProtocols(whole, less);
        const breaks = [kind === 'request' ? 'sender' : 'receiver'];
        expect(methods.removed).toEqual([{ method, kind, senders, breaks }]);
        expect([methods.added, methods.changed, definitions.removed]).toEqual([[], [], []]);
        const back = diffProtocols(less, whole).methods;
        expect(back).toMatchObject({ added: [{ method }], removed: [], changed: [] });
      }
    },
  );
});

/** The protocol of a revision whose unions do not list a method. */
function unlisted(revision: Revision, method: string): Protocol {
  const { document } = loadRevision(revision);
  const { definitions } = document;
  const isOther = (node: Node): boolean =>
    !methodsOf(resolve(node, definitions), definitions).includes(method);
  const groups = [...definitions.values()].filter(({ name }) => MESSAGE_GROUPS.has(name));
  const less = groups.map((each): [string, Definition] => {
    const members = groupMembers(each.node, definitions).filter(isOther);
    return [each.name, { ...each, node: { kind: 'union', members } }];
  });
  return buildProtocol({ ...document, definitions: new Map([...definitions, ...less]) });
}

describe('as text', () => {
  it('begins with the counts', () => {
    expect(diffAsText(newest, PLAIN).split('\n').slice(0, 3)).toEqual([
      '2025-11-25 → 2026-07-28',
      'methods      +3 −13 ~11, 22 breaking',
      'definitions  +42 −32 ~60, 26 breaking',
    ]);
  });

  it('has the same text with colours', () => {
    const coloured = diffAsText(newest, COLOURED);
    expect(coloured).toContain('\u001b[31m');
    // eslint-disable-next-line no-control-regex -- colours are control sequences
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(diffAsText(newest, PLAIN));
  });
});

it('is Markdown whose tables have the columns of their heads throughout', () => {
  const rows = diffAsMarkdown(newest)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(60);
  const columns = rows.map((row) => row.match(/(?<!\\)\|/g)?.length);
  expect(new Set(columns)).toEqual(new Set([5, 6]));
});
