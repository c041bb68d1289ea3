import type { Direction } from './compat/index.js';
import {
  CONTAINERS,
  isAnnotation,
  isApplied,
  isFormat,
  isType,
  jsonPointer,
  type JsonValue,
  type Member,
  membersOf,
  type Subschema,
  subschemas,
} from '../../json-schema/index.js';
import type { At, Change } from './change.js';
import { sortedText, textChange, wordsOf } from './texts.js';

/** A schema in a schema, and what it says itself. */
interface Part extends Subschema {
  readonly pointer: string;
  /** Its place in values, however the schema is composed. */
  readonly place: string;
  readonly members: ReadonlyMap<string, Member>;
  /** Equal where both schemas say the same about the same place. */
  readonly key: string;
}

/**
 * The changes of what models read in a schema: descriptions, titles, examples, keywords that JSON Schema does not have, and
 * the names and texts of its rules that only the new schema has. A part that has only moved is no change.
 */
export function compareAnnotations(
  before: JsonValue,
  after: JsonValue,
  at: At,
  direction: Direction,
): Change[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const byPointer = new Map(old.map((part) => [part.pointer, part]));
  const known = new Set(old.map(({ key }) => key));
  const shown = new Set<string>();
  let within = Infinity;
  const added = now.flatMap((part): Change[] => {
    // Parts follow the one that they are in.
    if (part.path.length > within) return [];
    within = shown.has(part.pointer) ? part.path.length : Infinity;
    if (within < Infinity) return [];
    const was = byPointer.get(part.pointer);
    if (!was && (known.has(part.key) || !saysSomething(part))) return [];
    const place = { ...at, pointer: at.pointer + (was?.pointer ?? nearest(part.path, byPointer)) };
    if (was) return changesOf(was, part, place, direction, shown);
    within = part.path.length;
    return textChange(place, pathOf(part.path), undefined, part.schema);
  });
  return [...added, ...goneFrom(old, now, at)];
}

/** The changes of a part that both schemas have. `shown` gets the places that they show with all that is in them. */
function changesOf(
  was: Part,
  is: Part,
  at: At,
  direction: Direction,
  shown: Set<string>,
): Change[] {
  const known = new Set([...was.members.values()].flatMap(wordsIn));
  return [...new Set([...was.members.keys(), ...is.members.keys()])].flatMap((key) => {
    const [old, now] = [was.members.get(key), is.members.get(key)];
    const [keyword, name] = (now ?? old)?.path ?? [''];
    const path = pathOf([...is.path, keyword, ...(name === undefined ? [] : [name])]);
    if (isAnnotation(keyword)) {
      const changes = textChange(at, path, old?.value, now?.value);
      const isDefault = keyword === 'default' && direction === 'input' && old && now;
      return isDefault ? changes.map(asDefault) : changes;
    }
    if (!now || wordsIn(now).every((word) => known.has(word))) return [];
    if (!old) shown.add(is.pointer + key);
    return textChange(at, path, old && valueAt(was, old), valueAt(is, now));
  });
}

/** Texts of places that are left. What is gone with its property is a change of what the schema accepts. */
function goneFrom(old: readonly Part[], now: readonly Part[], at: At): Change[] {
  const left = new Set(now.flatMap(({ key, pointer }) => [key, pointer]));
  const places = new Set(now.map(({ place }) => place));
  return old
    .filter(({ pointer, place, key }) => places.has(place) && !left.has(pointer) && !left.has(key))
    .flatMap(({ pointer, path, members }) =>
      [...members.values()]
        .filter(({ path: [keyword] }) => isAnnotation(keyword))
        .flatMap(({ path: [keyword], value }) => {
          const place = { ...at, pointer: at.pointer + pointer };
          return textChange(place, pathOf([...path, keyword]), value, undefined);
        }),
    );
}

function partsOf(root: JsonValue): Part[] {
  return subschemas(root).map((each) => {
    const found = membersOf(each.schema).map((member) => {
      const [keyword, name] = member.path;
      return [jsonPointer(name === undefined ? [keyword] : [keyword, name]), member] as const;
    });
    const place = placeOf(each.path);
    return {
      ...each,
      pointer: jsonPointer(each.path),
      place,
      members: new Map(found),
      key: `${place} ${sortedText(found.map(([at, { value }]) => [at, value]).sort())}`,
    };
  });
}

const saysSomething = ({ members }: Part): boolean =>
  [...members.values()].some((each) => isAnnotation(each.path[0]) || wordsIn(each).length > 0);

/** The texts of a member, without the words of JSON Schema. */
function wordsIn({ path: [keyword], value }: Member): string[] {
  const isWord = VOCABULARY[keyword];
  return wordsOf(value).filter((word) => isWord?.(word) !== true);
}

const VOCABULARY: Readonly<Record<string, (word: string) => boolean>> = {
  type: isType,
  format: isFormat,
  $schema: (word) => /^https?:\/\/json-schema\.org\/[\w/-]+#?$/.test(word),
};

function valueAt({ schema }: Part, { path: [keyword, name], value }: Member): JsonValue {
  if (name === undefined) return value;
  return (schema[keyword] as Readonly<Record<string, JsonValue>>)[name] ?? name;
}

/** The pointer of the nearest place around a new one that the schema before has too. */
function nearest(path: Part['path'], byPointer: ReadonlyMap<string, Part>): string {
  const lengths = path.map((_, index) => path.length - 1 - index);
  const pointers = lengths.map((length) => jsonPointer(path.slice(0, length)));
  return pointers.find((pointer) => byPointer.has(pointer)) ?? '';
}

/** `/properties/city`: where the values are that a schema at this path is about. */
function placeOf(path: Part['path']): string {
  return jsonPointer(
    path.filter((part, index) => {
      const around = path[index - 1] ?? '';
      const isIndex = typeof part === 'number' && isApplied(around);
      return !(isIndex || isApplied(part) || CONTAINERS.has(part) || CONTAINERS.has(around));
    }),
  );
}

/** `city.description`; a name of a property may be one of the keywords. */
function pathOf(path: readonly (string | number)[]): string {
  const isNaming = (part: string | number): boolean =>
    part === 'properties' || CONTAINERS.has(part);
  return path.filter((part, index) => !isNaming(part) || isNaming(path[index - 1] ?? '')).join('.');
}

function asDefault(change: Change): Change {
  const reason = 'a caller that leaves the argument out may get another result';
  return { ...change, verdict: 'unclear', rule: 'default', reason };
}
