import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Rules, SchemaDocument } from './contender.js';
import { seeded } from '../random.js';
import type { Random } from '../random.js';
import type { Sample } from './traffic.js';

/**
 * Messages as many servers and clients write them: each sample many times, with other key orders, without
 * some optional properties, with properties of their own, and with texts and lists of other sizes. A process
 * that handles them has seen every object in many shapes. ajv decides which changes leave a message valid.
 */
export function varied(
  samples: readonly Sample[],
  copies: number,
  { schema, rules }: { readonly schema: SchemaDocument; readonly rules: Rules },
): readonly Sample[] {
  const random = seeded(1);
  const accepts = judgeOf(schema, rules);
  return samples.flatMap((sample) =>
    Array.from({ length: copies }, () => variant(sample, random, accepts)),
  );
}

type Json = Record<string, unknown>;
type Judge = (sample: Sample) => boolean;

const CHANGES = 12;

function variant(sample: Sample, random: Random, accepts: Judge): Sample {
  let message = shuffled(sample.message, random) as Json;
  for (let i = 0; i < CHANGES; i += 1) {
    const changed = structuredClone(message);
    change(changed, random);
    if (accepts({ ...sample, message: changed })) message = changed;
  }
  return { ...sample, message };
}

/** Changes one object or list somewhere in the value. */
function change(value: unknown, random: Random): void {
  const places = containers(value);
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

function judgeOf(schema: SchemaDocument, rules: Rules): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, 'mcp');
  const is = (name: string, value: unknown): boolean =>
    ajv.getSchema(`mcp#/$defs/${name}`)?.(value) === true;
  return ({ message, answers }) => {
    if (answers !== undefined) {
      const results = rules.results[answers] ?? [];
      return is(rules.response, message) && results.some((name) => is(name, message['result']));
    }
    const method = message['method'] as string;
    const name = ('id' in message ? rules.requests : rules.notifications)[method];
    return name !== undefined && is(name, message);
  };
}
