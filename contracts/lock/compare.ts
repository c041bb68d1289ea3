import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import { VERDICTS, type Change } from './change.js';
import { introducedBy } from './introduced.js';
import { compareLists } from './lists.js';
import { LISTS, type ListName, type Lock, type Sent } from './model.js';
import { asFact, own, textChange, isEqual, wordsOf } from './texts.js';
import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';

/**
 * All changes from one lock to another, the worst first. Empty when both promise the same.
 *
 * @param asked Whether the server was asked in the revision of the lock before, and chose another one.
 */
export function compareLocks(before: Lock, after: Lock, asked = false): readonly Change[] {
  const lists = Object.keys(LISTS) as ListName[];
  const changes = [
    ...compareRevisions(before, after, asked),
    ...compareClients(before.clientCapabilities, after.clientCapabilities),
    ...compareServers(before.server ?? {}, after.server ?? {}),
    ...compareInstructions(before.instructions, after.instructions),
    ...compareCapabilities(before.capabilities, after.capabilities),
    ...lists.flatMap((list) => compareLists(list, before[list], after[list])),
  ];
  const tools = new Set(
    after.tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
  );
  const hinted = changes.map((change): Change => {
    const introduces = introducedBy(change, tools);
    return introduces.length === 0 ? change : { ...change, introduces };
  });
  const rank = ({ verdict }: Change): number => VERDICTS.indexOf(verdict);
  return hinted.toSorted((a, b) => rank(a) - rank(b));
}

/** What models read of a server as a whole. */
export function compareInstructions(
  before: string | undefined,
  after: string | undefined,
): Change[] {
  return textChange({ part: 'instructions', pointer: '/instructions' }, 'text', before, after);
}

function compareRevisions(
  { revision: was }: Lock,
  { revision: is }: Lock,
  asked: boolean,
): Change[] {
  if (was === is) return [];
  return [
    {
      verdict: asked ? 'breaking' : 'unclear',
      rule: 'revision',
      part: 'revision',
      pointer: '/revision',
      message: `the revision was ${quote(was)} and is ${quote(is)}`,
      reason: asked
        ? 'the server does not speak the old one any more'
        : 'servers list other details in another revision',
      before: was,
      after: is,
    },
  ];
}

/** Locks of versions that did not write it do not say it. */
function compareClients(before: Sent | undefined, after: Sent | undefined): Change[] {
  if (!before || !after) return [];
  const at = { part: 'client', pointer: '/clientCapabilities' } as const;
  const reason = 'a server may list other tools to a client that declares other capabilities';
  return textChange(at, 'declaration', before, after).map((change) => ({
    ...change,
    verdict: 'unclear',
    rule: 'client',
    message: 'the client that asked declares other capabilities',
    reason,
  }));
}

/** A version is there to change. Another name may be another server. */
function compareServers(before: Sent, after: Sent): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): Change[] => {
    const at = { part: 'server', pointer: jsonPointer(['server', key]) } as const;
    const changes = textChange(at, key, own(before, key), own(after, key));
    return key === 'version' ? changes.map(asFact) : changes;
  });
}

/** What the server declares, path by path. What it does not declare, and `false`, count alike. */
function compareCapabilities(before: Sent, after: Sent): Change[] {
  return compareAt(before, after, []);
}

/** The words of the protocol in capabilities of servers; all others are texts. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['tools', 'prompts', 'resources', 'listChanged', 'subscribe', 'logging', 'completions'],
  ...['tasks', 'list', 'cancel', 'requests', 'call', 'experimental', 'extensions'],
]);

type Declared = JsonValue | undefined;

function compareAt(before: Declared, after: Declared, path: readonly string[]): Change[] {
  if (isEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => compareAt(own(before, key), own(after, key), [...path, key]));
  }
  const [was, is] = [isDeclared(before), isDeclared(after)];
  if (!was && !is) return [];
  const change = { rule: 'capability', part: 'capabilities', pointer: pointerTo(path) } as const;
  const name = quote(path.join('.'));
  if (!was) {
    const isKnown = [...path, ...wordsOf(after)].every((word) => KNOWN.has(word));
    const message = `the capability ${name} is new`;
    if (isKnown) return [{ ...change, verdict: 'compatible', message }];
    return [{ ...change, verdict: 'text', message, ...(after !== undefined && { after }) }];
  }
  if (!is) {
    const reason = 'requests and notifications that need it are refused or missing now';
    return [{ ...change, verdict: 'breaking', message: `the capability ${name} is gone`, reason }];
  }
  const reason = 'the meaning of its value is not in the protocol';
  return [{ ...change, verdict: 'unclear', message: `the capability ${name} changed`, reason }];
}

function isDeclared(value: Declared): boolean {
  return value !== undefined && value !== false;
}

const pointerTo = (path: readonly string[]): string => jsonPointer(['capabilities', ...path]);
