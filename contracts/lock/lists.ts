import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import type { At, Change } from './change.js';
import { LISTS, type ListName, type Sent } from './model.js';
import { isEqual, own, textChange, asFact } from './texts.js';
import { compareTools, below } from './tool.js';
import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import { schemaChanges } from './schemas.js';

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

function comparePrompts(before: Sent, after: Sent, at: At): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const place = below(at, 'arguments');
  return [
    ...schemaChanges('input', asSchema(before), asSchema(after), place).map((change) =>
      // The arguments of a prompt are a list, in which a pointer into a schema leads nowhere.
      ({ ...change, pointer: place.pointer }),
    ),
    ...[...keys]
      .filter((key) => key !== 'name' && key !== 'arguments')
      .flatMap((key) => textChange(below(at, key), key, own(before, key), own(after, key))),
  ];
}

/** The arguments of a prompt, which are texts, as JSON Schema. */
function asSchema({ arguments: list = [] }: Sent): JsonValue {
  const entries = (Array.isArray(list) ? list : []).filter(isObject);
  const named = entries.flatMap((entry): [string, JsonValue][] => {
    const { name, required: _, ...texts } = entry;
    return typeof name === 'string' ? [[name, { ...annotated(texts), type: 'string' }]] : [];
  });
  const required = entries
    .filter((entry) => entry['required'] === true)
    .map(({ name }) => name ?? '');
  return { type: 'object', properties: Object.fromEntries(named), required };
}

/** Texts under names that no keyword of JSON Schema has. */
function annotated(texts: { readonly [key: string]: JsonValue }): { [key: string]: JsonValue } {
  const known = ['title', 'description'];
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [known.includes(key) ? key : `x-${key}`, value]),
  );
}

/** What follows the content of a resource, and changes with it. */
const FACTS = new Set(['size', 'lastModified']);

/** Resources of one URI, or templates of one URI template. */
function compareResources(before: Sent, after: Sent, at: At): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const place = below(at, key);
    const [was, is] = [own(before, key), own(after, key)];
    if (key === 'annotations') return compareFacts(was, is, place);
    const changes = textChange(place, key, was, is);
    if (key === 'mimeType') return changes.map(asMediaType);
    return FACTS.has(key) ? changes.map(asFact) : changes;
  });
}

function compareFacts(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: At,
): Change[] {
  if (isEqual(before, after)) return [];
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => {
    const changes = textChange(at, `annotations.${key}`, own(was, key), own(is, key));
    return FACTS.has(key) ? changes.map(asFact) : changes;
  });
}

function asMediaType(change: Change): Change {
  const reason = 'a reader that parses by the media type may not read it any more';
  return { ...change, verdict: 'unclear', rule: 'media-type', reason };
}

type Entry = readonly [template: string, entry: Sent];

/** What is known of templates that are gone: which one of the same name replaces each. */
function replacedTemplates(
  gone: readonly Entry[],
  added: readonly Entry[],
): ReadonlyMap<string, Partial<Change>> {
  return new Map(
    gone.flatMap(([template, entry]): [string, Partial<Change>][] => {
      const [other] =
        added.find(([, { name }]) => name !== undefined && name === entry['name']) ?? [];
      return other === undefined ? [] : [[template, replacement(template, other)]];
    }),
  );
}

function replacement(template: string, other: string): Partial<Change> {
  const change = {
    rule: 'input',
    direction: 'input',
    message: `the template is ${quote(other)} now`,
    before: template,
    after: other,
  } as const;
  if (isExtension(template, other)) {
    return {
      ...change,
      verdict: 'compatible',
      reason: 'each URI of the old one is also one of the new',
    };
  }
  return { ...change, reason: 'the server may not find the URIs of the old one any more' };
}

/** Whether the new template only adds variables of the query, which may be left out. */
function isExtension(template: string, other: string): boolean {
  return other.startsWith(template) && /^\{[?&][\w.,:*%]+\}$/.test(other.slice(template.length));
}
