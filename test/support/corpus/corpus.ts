import { definitionsOf } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import type { Example } from './examples.js';
import type { Json } from './json.js';
import { editsAt, literalsIn, mutated, nearMisses } from './mutate.js';
import type { Donors, MutationKind } from './mutate.js';
import { createOracle } from './oracle.js';
import { createRandom, deriveSeed } from './random.js';
import type { Random } from './random.js';
import { createSynthesiser } from './synthesise.js';
import type { Place, Specimen } from './synthesise.js';

/** One value and ajv's verdict on it. */
export interface Case {
  readonly definition: string;
  /** Shared with other cases: never change it. `JSON.parse(JSON.stringify(value))` equals it. */
  readonly value: Json;
  readonly source: 'example' | 'synthesised' | 'mutated';
  /** How it was mutated, where it was. */
  readonly kind?: MutationKind;
  readonly expected: boolean;
}

export interface CorpusOptions {
  readonly seed?: number;
  /**
   * Mutations chosen at random for each definition, behind references and in every context, on top
   * of the systematic ones (each change at each place of the definition's own schema, once).
   */
  readonly perDefinition?: number;
  /** Whether `format` counts. The values are the same either way. */
  readonly formats?: boolean;
  readonly examples?: readonly Example[];
}

type Candidate = Pick<Case, 'value' | 'source' | 'kind'>;

/** How many of what the rest of the document lends are tried at one place. */
const literalsPerPlace = 6;
const transplantsPerPlace = 2;
const refusedPerPlace = 8;

/**
 * The cases of every definition, in the document's order, none twice; the same for the same seed.
 */
export function* corpus(document: SchemaDocument, options: CorpusOptions = {}): Iterable<Case> {
  const { seed = 1, perDefinition = 40, formats = true, examples = [] } = options;
  const oracle = createOracle(document, { formats });
  const specimens = synthesiseAll(document, seed);
  const lend = donorsFrom(document, specimens);
  for (const [definition, own] of specimens) {
    const random = createRandom(deriveSeed(seed, definition));
    const donors = lend(random);
    const seen = new Set<string>();
    const candidates = [
      examples.filter((example) => example.definition === definition).map(exampleCandidate),
      own.map(specimenCandidate),
      systematic(own, donors),
      atRandom(own, donors, random, perDefinition),
    ];
    for (const candidate of candidates.flatMap((some) => [...some])) {
      const text = JSON.stringify(candidate.value);
      if (seen.has(text)) continue;
      seen.add(text);
      yield { definition, ...candidate, expected: oracle.accepts(definition, candidate.value) };
    }
  }
}

const exampleCandidate = ({ value }: Example): Candidate => ({ value, source: 'example' });
const specimenCandidate = ({ value }: Specimen): Candidate => ({ value, source: 'synthesised' });

function synthesiseAll(document: SchemaDocument, seed: number): Map<string, Specimen[]> {
  const synthesise = createSynthesiser(document, seed);
  return new Map(Object.keys(definitionsOf(document)).map((name) => [name, synthesise(name)]));
}

function donorsFrom(
  document: SchemaDocument,
  specimens: ReadonlyMap<string, readonly Specimen[]>,
): (random: Random) => Donors {
  const literals = literalsIn(document);
  // Its own oracle, so that the values do not depend on whether the caller asserts formats.
  const oracle = createOracle(document, { formats: false });
  const values = [...specimens.values()].flatMap((some) => some.slice(0, 2));
  const refused = new Map<string, readonly Json[]>();
  const refusedBy = (definition: string): readonly Json[] => {
    const known = refused.get(definition);
    if (known !== undefined) return known;
    const [fullest] = fullestFirst(specimens.get(definition) ?? []);
    const misses = fullest === undefined ? [] : [...nearMisses(fullest)];
    const wrong = misses.filter((value) => !oracle.accepts(definition, value));
    refused.set(definition, wrong);
    return wrong;
  };
  return (random) => ({
    literals: (key) => random.sample(literals.get(key) ?? [], literalsPerPlace),
    transplants: () => random.sample(values, transplantsPerPlace).map(({ value }) => value),
    refused: (definition) => random.sample(refusedBy(definition), refusedPerPlace),
  });
}

/** What is odd comes last: a case should fail for one reason. */
const fullestFirst = (specimens: readonly Specimen[]): Specimen[] =>
  specimens.toSorted((a, b) => Number(a.odd) - Number(b.odd) || b.places.length - a.places.length);

/** Each edit at each place of the definition's own schema, once, where there is most around it. */
function* systematic(specimens: readonly Specimen[], donors: Donors): Iterable<Candidate> {
  const done = new Set<Schema>();
  for (const specimen of fullestFirst(specimens)) {
    for (const place of specimen.places) {
      if (!place.own || done.has(place.schema)) continue;
      done.add(place.schema);
      yield* mutations(specimen, place, donors);
    }
  }
}

function* mutations(specimen: Specimen, place: Place, donors: Donors): Iterable<Candidate> {
  for (const edit of editsAt(specimen, place, donors)) {
    yield { value: mutated(specimen, place, edit), source: 'mutated', kind: edit.kind };
  }
}

function* atRandom(
  specimens: readonly Specimen[],
  donors: Donors,
  random: Random,
  count: number,
): Iterable<Candidate> {
  if (specimens.length === 0) return;
  for (let drawn = 0; drawn < count; drawn++) {
    const specimen = random.pick(specimens);
    if (specimen.places.length === 0) continue;
    yield random.pick([...mutations(specimen, random.pick(specimen.places), donors)]);
  }
}
