import { alternativesIn } from './alternatives.js';
import type { Alternatives } from './alternatives.js';
import { definitionOf, isOpen, referencedName } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import type { Json, Path } from './json.js';
import { createRandom, deriveSeed } from './random.js';
import { oddKeys, scalars, typesOrGuess } from './scalars.js';
import { smallestIn } from './smallest.js';
import type { Smallest } from './smallest.js';

/** Where in a value which schema was met. */
export interface Place {
  readonly path: Path;
  /** One of the schema's alternatives: the same object wherever the same schema was met. */
  readonly schema: Schema;
  /** Whether the schema stands in the definition itself, not behind one of its references. */
  readonly own: boolean;
  /** Members that only other branches of the same union know: here, unknown keys like any other. */
  readonly foreign?: readonly string[];
}

/** A value made to be accepted, and how. Merging `allOf` is best effort: the oracle has the word. */
export interface Specimen {
  readonly value: Json;
  /** Outermost first. */
  readonly places: readonly Place[];
  /** Whether odd keys are in it, which a test of anything else had better avoid. */
  readonly odd: boolean;
}

/** The least, the fullest, and everything that a member may be. */
interface Choices {
  readonly first: Specimen;
  readonly second: Specimen;
  readonly all: readonly Specimen[];
}

/** How many specimens of a definition are tried where another refers to it. */
const embeddedCount = 4;

/**
 * Makes specimens of a definition: the least, the fullest, and then each choice in turn on top of
 * the fullest (every union branch, literal, boundary, length, optional member alone, odd key).
 */
export function createSynthesiser(
  document: SchemaDocument,
  seed: number,
): (definition: string) => Specimen[] {
  const synthesiser = new Synthesiser(document, seed);
  return (definition) => synthesiser.variants(definitionOf(document, definition), true);
}

class Synthesiser {
  readonly #alternatives: Alternatives;
  readonly #smallest: Smallest;
  readonly #embedded = new Map<string, Specimen[]>();

  constructor(
    private readonly document: SchemaDocument,
    private readonly seed: number,
  ) {
    this.#alternatives = alternativesIn(document);
    this.#smallest = smallestIn(document, this.#alternatives);
  }

  /** The least first, then the fullest; none where nothing is accepted. */
  variants(schema: Schema | boolean, own: boolean): Specimen[] {
    const branches = this.#alternatives(schema);
    return branches.flatMap((branch) => {
      const specimens = this.#of(branch, own);
      if (branches.length === 1) return specimens;
      const known = new Set(this.#memberNames(branch));
      const foreign = [...new Set(branches.flatMap((other) => this.#memberNames(other)))].filter(
        (name) => !known.has(name),
      );
      return specimens.map(({ places: [root, ...places], ...specimen }) => ({
        ...specimen,
        places: root === undefined ? [] : [{ ...root, foreign }, ...places],
      }));
    });
  }

  #memberNames(schema: Schema): string[] {
    if (schema.$ref === undefined) return Object.keys(schema.properties ?? {});
    const definition = definitionOf(this.document, referencedName(schema.$ref));
    return this.#alternatives(definition).flatMap((branch) => this.#memberNames(branch));
  }

  #of(schema: Schema, own: boolean): Specimen[] {
    const place: Place = { path: [], schema, own };
    const leaf = (value: Json): Specimen => ({ value, places: [place], odd: false });
    if (schema.$ref !== undefined) {
      return this.#referenced(referencedName(schema.$ref)).map((specimen) => ({
        ...specimen,
        places: [place, ...specimen.places],
      }));
    }
    if (schema.const !== undefined) return [leaf(schema.const)];
    if (schema.enum !== undefined) return schema.enum.map(leaf);
    return typesOrGuess(schema).flatMap((type) => {
      if (type === 'object') return this.#objects(schema, own);
      if (type === 'array') return this.#arrays(schema, own);
      return scalars(schema, type).map(leaf);
    });
  }

  #referenced(name: string): Specimen[] {
    const known = this.#embedded.get(name);
    if (known !== undefined) return known;
    // Found again while it is being made, a definition is recursive: then the least will do.
    this.#embedded.set(name, this.#least(name));
    const [least, fullest, ...others] = this.variants(definitionOf(this.document, name), false);
    const random = createRandom(deriveSeed(this.seed, name));
    const chosen = [least, fullest, ...random.sample(others, embeddedCount - 2)].filter(
      (specimen) => specimen !== undefined,
    );
    this.#embedded.set(name, chosen);
    return chosen;
  }

  #least(name: string): Specimen[] {
    const value = this.#smallest(definitionOf(this.document, name));
    return value === undefined ? [] : [{ value, places: [], odd: false }];
  }

  #objects(schema: Schema, own: boolean): Specimen[] {
    const members = this.#members(schema, own);
    const required = new Set(schema.required);
    if ([...required].some((key) => !members.has(key))) return [];
    const extra = this.variants(schema.additionalProperties ?? true, own);
    const least = new Map<string, Specimen>();
    const fullest = new Map<string, Specimen>();
    for (const [key, { first, second }] of members) {
      if (required.has(key)) least.set(key, first);
      fullest.set(key, second);
    }
    const typed = !isOpen(schema.additionalProperties);
    if (typed) {
      extra.slice(0, 2).forEach((specimen, index) => fullest.set(`key${index}`, specimen));
    }
    const choices = [least, fullest];
    for (const [key, { second, all }] of members) {
      if (!required.has(key)) choices.push(new Map([...least, [key, second]]));
      for (const one of all) if (one !== second) choices.push(new Map([...fullest, [key, one]]));
    }
    if (typed) {
      for (const one of extra) choices.push(new Map([...fullest, ['key', one]]));
    }
    return [
      ...choices.map((entries) => composeObject(schema, own, entries)),
      ...oddMembers(extra).map((odd) => ({
        ...composeObject(schema, own, new Map([...fullest, ...odd])),
        odd: true,
      })),
    ];
  }

  /** What each member may be; a member that can be nothing is left out. */
  #members(schema: Schema, own: boolean): Map<string, Choices> {
    const members = new Map<string, Choices>();
    for (const key of new Set([
      ...Object.keys(schema.properties ?? {}),
      ...(schema.required ?? []),
    ])) {
      const child = schema.properties?.[key] ?? schema.additionalProperties ?? true;
      const all = this.variants(child, own);
      const [first, second = first] = all;
      if (first !== undefined && second !== undefined) members.set(key, { first, second, all });
    }
    return members;
  }

  #arrays(schema: Schema, own: boolean): Specimen[] {
    const { minItems = 0, maxItems = Infinity } = schema;
    const items = this.variants(schema.items ?? true, own);
    const [first, second = first] = items;
    const repeat = (count: number): Specimen[] =>
      first === undefined ? [] : Array.from({ length: count }, () => first);
    const lists = [
      repeat(minItems),
      ...(second === undefined || first === undefined ? [] : [own ? [second, first] : [second]]),
      repeat(minItems + 2),
      ...items.map((item) => [item]),
      items,
      ...(maxItems === Infinity ? [] : [repeat(maxItems)]),
    ];
    return lists
      .filter(({ length }) => minItems <= length && length <= maxItems)
      .map((list) => composeArray(schema, own, list));
  }
}

/** Unknown members: `__proto__` alone, with two values, and all odd keys together. */
function oddMembers([first, second = first]: readonly Specimen[]): [string, Specimen][][] {
  if (first === undefined || second === undefined) return [];
  return [[['__proto__', first]], [['__proto__', second]], oddKeys.map((key) => [key, first])];
}

const composeObject = (
  schema: Schema,
  own: boolean,
  members: ReadonlyMap<string, Specimen>,
): Specimen => ({
  // Unlike assignment, this makes `__proto__` an own member.
  value: Object.fromEntries([...members].map(([key, { value }]) => [key, value])),
  places: [{ path: [], schema, own }, ...placesWithin(members)],
  odd: [...members.values()].some(({ odd }) => odd),
});

const composeArray = (schema: Schema, own: boolean, items: readonly Specimen[]): Specimen => ({
  value: items.map(({ value }) => value),
  places: [{ path: [], schema, own }, ...placesWithin(items.entries())],
  odd: items.some(({ odd }) => odd),
});

const placesWithin = (children: Iterable<readonly [string | number, Specimen]>): Place[] =>
  [...children].flatMap(([step, { places }]) =>
    places.map((place) => ({ ...place, path: [step, ...place.path] })),
  );
