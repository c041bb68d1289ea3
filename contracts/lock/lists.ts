import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import type { At, Change } from './change.js';
import { LISTS } from './model.js';
import type { ListName, Sent } from './model.js';
import { comparePrompts } from './prompt.js';
import { compareResources } from './resource.js';
import { replacedTemplates } from './template.js';
import { isEqual } from './texts.js';
import { compareTools } from './tool.js';

/** How entries of each list that have the same key are compared. */
const COMPARED: Readonly<Record<ListName, (before: Sent, after: Sent, at: At) => Change[]>> = {
  tools: compareTools,
  prompts: comparePrompts,
  resources: compareResources,
  resourceTemplates: compareResources,
};

/** The word for an entry of each list. */
export const ENTRY: Readonly<Record<ListName, string>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
};

export function compareLists(
  list: ListName,
  before: readonly Sent[],
  after: readonly Sent[],
): Change[] {
  const key = LISTS[list];
  const [was, is] = [byKey(before, key), byKey(after, key)];
  const gone = [...was].filter(([name]) => !is.has(name));
  const added = [...is].filter(([name]) => !was.has(name));
  const at = (name: string): At => {
    const index = before.findIndex((entry) => entry[key] === name);
    return { part: list, name, pointer: jsonPointer(index < 0 ? [list] : [list, index]) };
  };
  const replaced = list === 'resourceTemplates' ? replacedTemplates(gone, added) : new Map();
  return [
    ...gone.map(([name, entry]): Change => {
      const other = replaced.get(name) as Partial<Change> | undefined;
      return { ...removed(entry, at(name), added, list), ...other };
    }),
    ...added.map(([name, after]): Change => ({
      verdict: 'text',
      rule: 'added',
      ...at(name),
      message: `the ${ENTRY[list]} is new`,
      after,
    })),
    ...[...was].flatMap(([name, entry]) => {
      const other = is.get(name);
      return other ? compareEntries(list, entry, other, at(name)) : [];
    }),
  ];
}

/** All changes of one entry of a list. Empty when both are equal. */
export function compareEntries(list: ListName, before: Sent, after: Sent, at: At): Change[] {
  return isEqual(before, after) ? [] : COMPARED[list](before, after, at);
}

function byKey(entries: readonly Sent[], key: string): Map<string, Sent> {
  return new Map(
    entries.flatMap((entry): [string, Sent][] => {
      const value = entry[key];
      return typeof value === 'string' ? [[value, entry]] : [];
    }),
  );
}

function removed(
  entry: Sent,
  at: At,
  added: readonly (readonly [string, Sent])[],
  list: ListName,
): Change {
  const twin = added.find(([, other]) => isTwin(entry, other));
  const hint = twin ? `; perhaps it is called ${quote(twin[0])} now` : '';
  return {
    verdict: 'breaking',
    rule: 'removed',
    ...at,
    message: `the ${ENTRY[list]} is gone${hint}`,
    reason: 'each request for it gets an error',
  };
}

/** Whether two entries differ in their key only, so that one was probably renamed. */
function isTwin(one: Sent, other: Sent): boolean {
  return ['description', 'inputSchema', 'arguments'].every((key) => isEqual(one[key], other[key]));
}
