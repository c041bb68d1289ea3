import { alternativesIn } from './alternatives.js';
import type { Alternatives } from './alternatives.js';
import { definitionOf, definitionsOf, referencedName } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import { formatSamples, sampledFormats } from './formats.js';
import { isObject, withMember, withoutMember } from './json.js';
import type { Json } from './json.js';
import { literalsIn } from './mutate.js';
import { createRandom, deriveSeed } from './random.js';
import type { Random } from './random.js';
import { anyValues, oddKeys, scalars, typesOrGuess } from './scalars.js';
import { smallestIn } from './smallest.js';
import type { Smallest } from './smallest.js';

export interface FuzzCase {
  readonly definition: string;
  readonly value: Json;
  /** `createFuzzer(document)(definition, seed)` makes the value again. */
  readonly seed: number;
}

/** `count` values for definitions taken in turn; about half of them are valid. */
export function* fuzz(document: SchemaDocument, seed: number, count: number): Iterable<FuzzCase> {
  const fuzzer = createFuzzer(document);
  const names = Object.keys(definitionsOf(document));
  for (let index = 0; index < count; index++) {
    const definition = names[index % names.length];
    if (definition === undefined) return;
    const own = deriveSeed(seed, index);
    yield { definition, value: fuzzer(definition, own), seed: own };
  }
}

/** A maker of values for a definition: the same seed gives the same value. */
export function createFuzzer(document: SchemaDocument): (definition: string, seed: number) => Json {
  const fuzzer = new Fuzzer(document);
  return (definition, seed) => fuzzer.value(definition, createRandom(seed));
}

/** References followed within one value before the smallest will do. */
const depthLimit = 6;

class Fuzzer {
  readonly #alternatives: Alternatives;
  readonly #smallest: Smallest;
  readonly #names: readonly string[];
  readonly #literals: readonly string[];

  constructor(private readonly document: SchemaDocument) {
    this.#alternatives = alternativesIn(document);
    this.#smallest = smallestIn(document, this.#alternatives);
    this.#names = Object.keys(definitionsOf(document));
    this.#literals = [...new Set([...literalsIn(document).values()].flat())];
  }

  value(definition: string, random: Random): Json {
    if (random.chance(0.03)) return anyJson(random, 3);
    let value = this.#shaped(definition, random);
    if (random.chance(0.4)) return value;
    do value = this.#corrupted(value, random);
    while (random.chance(0.3));
    return value;
  }

  #shaped(definition: string, random: Random): Json {
    const schema = definitionOf(this.document, definition);
    return this.#fitting(schema, random, 0) ?? anyJson(random, 3);
  }

  /** A value that fits the schema, or undefined where none does. */
  #fitting(schema: Schema | boolean, random: Random, depth: number): Json | undefined {
    if (depth > depthLimit) return this.#smallest(schema);
    const branches = this.#alternatives(schema);
    if (branches.length === 0) return undefined;
    const branch = random.pick(branches);
    if (branch.$ref !== undefined) {
      const target = definitionOf(this.document, referencedName(branch.$ref));
      return this.#fitting(target, random, depth + 1);
    }
    if (branch.const !== undefined) return branch.const;
    if (branch.enum !== undefined) return random.pick(branch.enum);
    const type = random.pick(typesOrGuess(branch));
    if (type === 'object') return this.#object(branch, random, depth);
    if (type === 'array') return this.#array(branch, random, depth);
    if (type === 'any') return anyJson(random, 2);
    if (type === 'string' && branch.format === undefined) return anyText(random);
    const fitting = scalars(branch, type);
    return fitting.length > 0 ? random.pick(fitting) : undefined;
  }

  #object(schema: Schema, random: Random, depth: number): Json | undefined {
    const { properties = {}, additionalProperties = true } = schema;
    const required = new Set(schema.required);
    const members: [string, Json][] = [];
    const add = (key: string, child: Schema | boolean): boolean => {
      const value = this.#fitting(child, random, depth);
      if (value !== undefined) members.push([key, value]);
      return value !== undefined;
    };
    for (const key of required) {
      if (!add(key, properties[key] ?? additionalProperties)) return undefined;
    }
    for (const [key, child] of Object.entries(properties)) {
      if (!required.has(key) && random.chance(0.7 / (depth + 1))) add(key, child);
    }
    const typed = schema.properties === undefined;
    while (random.chance(typed ? 0.5 : 0.1)) {
      const key = anyKey(random);
      if (!Object.hasOwn(properties, key)) add(key, additionalProperties);
    }
    return Object.fromEntries(members);
  }

  #array(schema: Schema, random: Random, depth: number): Json | undefined {
    const { items = true, minItems = 0, maxItems = Infinity } = schema;
    const length = Math.min(minItems + random.below(depth > 2 ? 2 : 4), maxItems);
    const list: Json[] = [];
    for (let index = 0; index < length; index++) {
      const value = this.#fitting(items, random, depth);
      if (value === undefined) return minItems === 0 ? [] : undefined;
      list.push(value);
    }
    return list;
  }

  /** One change somewhere inside, the likelier the closer to the root. */
  #corrupted(value: Json, random: Random): Json {
    const descend = random.chance(0.7);
    if (descend && Array.isArray(value) && value.length > 0) {
      const index = random.below(value.length);
      return value.with(index, this.#corrupted(value[index] ?? null, random));
    }
    if (isObject(value)) {
      const keys = Object.keys(value);
      const [key] = random.sample(keys, 1);
      if (key === undefined) return this.#replaced(value, random);
      if (descend) return withMember(value, key, this.#corrupted(value[key] ?? null, random));
      if (random.chance(0.4)) return withoutMember(value, key);
      if (random.chance(0.6)) return withMember(value, anyKey(random), anyJson(random, 1));
    }
    return this.#replaced(value, random);
  }

  #replaced(value: Json, random: Random): Json {
    switch (random.below(6)) {
      case 0:
        return this.#shaped(random.pick(this.#names), random);
      case 1:
        return this.#literals.length > 0 ? random.pick(this.#literals) : anyText(random);
      case 2:
        return random.pick(formatSamples(random.pick(sampledFormats)));
      case 3:
        return nudged(value);
      case 4:
        return [value];
      default:
        return anyJson(random, 2);
    }
  }
}

function nudged(value: Json): Json {
  if (typeof value === 'number') return value + 0.5;
  if (typeof value === 'string') return value.toUpperCase();
  if (Array.isArray(value)) return [...value, null];
  return value === null ? false : null;
}

const anyKey = (random: Random): string =>
  random.chance(0.5) ? random.pick(oddKeys) : anyText(random);

/** Short, and of all kinds of characters, lone surrogates among them. */
function anyText(random: Random): string {
  const length = random.below(6);
  const limit = random.chance(0.8) ? 0x7f : 0xffff;
  return String.fromCharCode(...Array.from({ length }, () => random.below(limit)));
}

function anyNumber(random: Random): number {
  const scale = 10 ** (random.below(24) - 2);
  const number = (random.below(2001) - 1000) * scale;
  // JSON has no negative zero.
  return number === 0 ? 0 : number;
}

function anyJson(random: Random, depth: number): Json {
  const list = (): Json[] =>
    Array.from({ length: random.below(4) }, () => anyJson(random, depth - 1));
  switch (random.below(depth > 0 ? 6 : 4)) {
    case 0:
      return random.pick(anyValues);
    case 1:
      return anyNumber(random);
    case 2:
      return anyText(random);
    case 3:
      return random.chance(0.5);
    case 4:
      return list();
    default:
      return Object.fromEntries(list().map((value) => [anyKey(random), value]));
  }
}
