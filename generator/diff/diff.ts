import type { Protocol } from '../ir/index.js';
import { compareNodes } from './compare.js';
import { flowOf, methodsWith, sendersOf } from './flow.js';
import { compareMethods } from './methods.js';
import type { Change, DefinitionDiff, ProtocolDiff } from './model.js';
import { definitionsIn } from './scope.js';

/** The changes from one protocol to another. Descriptions do not count. */
export function diffProtocols(before: Protocol, after: Protocol): ProtocolDiff {
  const old = { protocol: before, definitions: definitionsIn(before) };
  const now = { protocol: after, definitions: definitionsIn(after) };
  const flows = [old, now].map(({ protocol, definitions }) => flowOf(protocol, definitions));
  const changed = before.definitions.flatMap(({ name, node }): DefinitionDiff[] => {
    const next = now.definitions.get(name);
    if (!next) return [];
    const changes = compareNodes(
      { node, definitions: old.definitions },
      { node: next.node, definitions: now.definitions },
    );
    if (changes.length === 0) return [];
    return [
      {
        name,
        sentBy: sendersOf(name, ...flows),
        methods: methodsWith(name, ...flows),
        changes: changes.map((change) =>
          harmless(name, change) ? { ...change, breaks: [] } : change,
        ),
      },
    ];
  });
  return {
    before: before.name,
    after: after.name,
    definitions: {
      added: after.definitions.map(({ name }) => name).filter((name) => !old.definitions.has(name)),
      removed: before.definitions
        .map(({ name }) => name)
        .filter((name) => !now.definitions.has(name)),
      changed,
    },
    methods: compareMethods(old, now),
  };
}

/** Skips unions that only list the messages of one side, because the methods show their changes. */
const LIST = /^(?:Client|Server)(?:Request|Notification|Result)$/;
const MESSAGE = /(?:Request|Notification)$/;

/**
 * Ignores the JSON-RPC envelope, because some revisions leave it out of definitions although it is on the
 * wire.
 */
function harmless(name: string, { path, kind }: Change): boolean {
  const envelope = path === 'jsonrpc' || path === 'id';
  return LIST.test(name) || (MESSAGE.test(name) && envelope && kind !== 'changed');
}
