import { seeded } from '../random.js';
import type { Random } from '../random.js';
import { parsed } from './traffic.js';
import type { Sample } from './traffic.js';

/**
 * Messages as many servers and clients write them: each sample many times, with other key orders, without
 * some optional properties, with properties of their own, and with texts and lists of other sizes. A process
 * that handles them has seen every object in many shapes. A change that `accepts` refuses is undone.
 */
export function varied(
  samples: readonly Sample[],
  copies: number,
  accepts: (sample: Sample) => boolean,
): readonly Sample[] {
  const random = seeded(1);
  return samples.flatMap((sample) =>
    Array.from({ length: copies }, () => variant(sample, random, accepts)),
  );
}

/**
 * Each sample with lists that several programs have written: some items lack optional properties, or have them in
 * another order. All else has one shape. A change that `accepts` refuses is undone.
 */
export function withMixedLists(
  samples: readonly Sample[],
  accepts: (sample: Sample) => boolean,
): readonly Sample[] {
  const random = seeded(2);
  return samples.map((sample) => {
    let now = sample;
    for (const [at, list] of listsOf(sample.message).entries()) {
      for (const index of list.keys()) {
        const changed = structuredClone<Json>(now.message);
        changeItem(listsOf(changed)[at]?.[index], random);
        const next = parsed({ ...sample, message: changed });
        if (accepts(next)) now = next;
      }
    }
    return now;
  });
}

type Json = Record<string, unknown>;

/** The lists of objects in the result of a message, in their order. */
function listsOf({ result }: Json): Json[][] {
  const lists = Object.values((result ?? {}) as Json).filter(Array.isArray) as Json[][];
  return lists.filter((list) => list.every((item) => typeof item === 'object'));
}

/** Removes a third of the properties, and reverses the order of a quarter of the items. */
function changeItem(item: Json | undefined, random: Random): void {
  if (item === undefined) return;
  const kept = Object.entries(item).filter(([key]) => NEEDED.has(key) || random(3) > 0);
  if (random(4) === 0) kept.reverse();
  for (const key of Object.keys(item)) Reflect.deleteProperty(item, key);
  for (const [key, value] of kept) item[key] = value;
}

const NEEDED = new Set(['name', 'uri', 'type', 'inputSchema', 'text', 'data', 'blob', 'mimeType']);

const CHANGES = 12;

function variant(sample: Sample, random: Random, accepts: (sample: Sample) => boolean): Sample {
  let now = parsed({ ...sample, message: shuffled(sample.message, random) as Json });
  for (let i = 0; i < CHANGES; i += 1) {
    const changed = structuredClone<Json>(now.message);
    change(changed, random);
    // Parsed, because the engine stores an object that lost a property in another way.
    const next = parsed({ ...sample, message: changed });
    if (accepts(next)) now = next;
  }
  return now;
}

/** Changes one object or list below the message, whose own members JSON-RPC defines. */
function change(message: Json, random: Random): void {
  const places = Object.values(message).flatMap(containers);
  const place = places[random(places.length)];
  if (Array.isArray(place)) changeList(place, random);
  else if (place) changeObject(place, random);
}

function changeList(list: unknown[], random: Random): void {
  const some = list[random(list.length)];
  if (list.length > 1 && random(2) === 0) list.pop();
  else if (some !== undefined) list.push(structuredClone(some));
}

const OWN = ['x-origin', 'requestId', 'note', '_trace', 'vendor', 'hint', 'etag', 'rank', 'locale'];

function changeObject(object: Json, random: Random): void {
  const keys = Object.keys(object);
  const key = keys[random(keys.length)];
  const kind = random(4);
  if (kind === 0) object[OWN[random(OWN.length)] ?? ''] = random(100);
  else if (key === undefined) return;
  else if (kind < 3) Reflect.deleteProperty(object, key);
  else object[key] = otherSize(object[key], random);
}

function otherSize(value: unknown, random: Random): unknown {
  if (typeof value === 'string')
    return value.slice(random(value.length + 1)) + value.slice(0, random(9));
  return typeof value === 'number' ? value + random(100) : value;
}

function shuffled(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffled(each, random));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // Most programs write the keys of a kind of object in one order.
  if (random(3) === 0) entries.sort(() => random(3) - 1);
  return Object.fromEntries(entries.map(([key, each]) => [key, shuffled(each, random)]));
}

function containers(value: unknown): (Json | unknown[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(containers)];
}
