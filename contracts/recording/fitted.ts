import { jsonPointer } from '../../json-schema/pointer.js';
import { acceptedValues, valueCheck } from '../lock/compat/index.js';
import { at, isRecord } from '../validate/index.js';
import { isMasked } from '../validate/secrets/index.js';
import type { MessageMasker } from '../validate/secrets/index.js';

type Path = readonly string[];
type Schema = Readonly<Record<string, unknown>>;

/** A part of a value that was masked; with `name`, the name of a member. */
export interface Place {
  readonly path: Path;
  readonly mask: unknown;
  readonly name?: string;
}

export interface Fitted {
  readonly value: unknown;
  /** Places without a mask, because the schema accepts none there. */
  readonly unmasked: readonly Path[];
}

/** Texts of the shape of a secret, and values of its schema, that are tried at a place. */
const TURNS = 40;
/** Turns in which all places are tried at once. */
const TOGETHER = 3;
const SAMPLES = 40;
/** Refused masks of one value, its checks, and their characters in all. A value that needs more keeps its marks. */
const MOST_REFUSED = 1_000;
const MOST_CHECKS = 2_000;
const MOST_CHARACTERS = 8_000_000;

/** What checks values, and what makes some: the one place that chooses both. */
const checks = new WeakMap<Schema, ReturnType<typeof valueCheck>>();
function checkOf(schema: Schema): ReturnType<typeof valueCheck> {
  const check = checks.get(schema) ?? valueCheck(schema as never);
  checks.set(schema, check);
  return check;
}
const samples = new WeakMap<Schema, readonly unknown[]>();
function samplesOf(schema: Schema): readonly unknown[] {
  const made = samples.get(schema) ?? acceptedValues(schema as never);
  samples.set(schema, made);
  return made;
}

/**
 * A masked value in which other masks stand for those that the schema refuses: texts of the shape of the secret, else
 * values that the schema names or allows, else the secret itself. Where the original is refused, too, the masks stay.
 */
export function fitted(
  original: unknown,
  masked: unknown,
  schema: Schema,
  masker: MessageMasker,
): Fitted {
  const check = checkOf(schema);
  const asIs = { value: masked, unmasked: [] };
  if (typeof check === 'string' || !check(masked) || check(original)) return asIs;
  const size = JSON.stringify(original).length;
  let left = Math.min(MOST_CHECKS, MOST_CHARACTERS / size);
  const refusalOf = (places: readonly Place[]) => {
    if ((left -= 1) < 0) throw new TooMany();
    return check(withPlaces(original, places));
  };
  try {
    const { refused, accepted } = divided(placesOf(original, masked), refusalOf);
    for (let turn = 0; turn < TOGETHER; turn += 1) {
      const all = [...accepted, ...refused.map((each) => alike(original, each, masker, turn))];
      if (!refusalOf(all)) return { value: withPlaces(original, all), unmasked: [] };
    }
    const unmasked: Path[] = [];
    for (const place of refused) {
      const found = first(
        attempts(original, place, samplesOf(schema), masker),
        (each) => refusalOf([...accepted, each]) === undefined,
      );
      if (found) accepted.push(found);
      else unmasked.push(place.path);
    }
    return { value: withPlaces(original, accepted), unmasked };
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return asIs;
  }
}

class TooMany extends Error {}

/** Formats that a text has rather by intention than by chance. */
const FORMATS: readonly Schema[] = [
  ...['date-time', 'date', 'time', 'duration', 'ipv4', 'ipv6', 'uuid', 'email', 'uri'],
].map((format) => ({ type: 'string', format }));

/** A masked value whose schema is not known: each mask has the type, the shape and the format of its secret. */
export function ofItsShape(original: unknown, masked: unknown, masker: MessageMasker): unknown {
  const places = placesOf(original, masked).map((place) => {
    if (place.name !== undefined) return place;
    const secret = at(original, ...place.path);
    const format = FORMATS.find((each) => isOf(each, secret));
    const inside = { path: [], mask: place.mask };
    const found = first(
      typeof secret === 'number'
        ? numbersLike(secret, masker)
        : attempts(secret, inside, format ? samplesOf(format) : [], masker),
      ({ mask }) => mask !== place.mask && mask !== secret && (!format || isOf(format, mask)),
    );
    return { ...place, mask: (found ?? place).mask };
  });
  return withPlaces(original, places);
}

function isOf(schema: Schema, value: unknown): boolean {
  const check = checkOf(schema);
  return typeof check !== 'string' && check(value) === undefined;
}

/** Numbers with as many digits. */
function* numbersLike(secret: number, masker: MessageMasker): Generator<Place, undefined> {
  const text = String(secret);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const mask = Number(masker.alike(text, true, turn));
    if (Number.isFinite(mask) && String(mask).length === text.length) yield { path: [], mask };
  }
}

function first<T>(values: Iterable<T>, isFit: (value: T) => boolean): T | undefined {
  for (const value of values) if (isFit(value)) return value;
  return undefined;
}

/** The places whose masks are refused or may be, and the others. */
function divided(
  places: readonly Place[],
  refusalOf: (places: readonly Place[]) => { readonly pointer: string } | undefined,
): { readonly refused: Place[]; readonly accepted: Place[] } {
  const refused: Place[] = [];
  let accepted = [...places];
  for (;;) {
    const refusal = refusalOf(accepted);
    if (!refusal) return { refused, accepted };
    const pointer = ofAnyItem(refusal.pointer);
    const isNear = ({ path }: Place): boolean => {
      const own = ofAnyItem(jsonPointer(path));
      return `${own}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${own}/`);
    };
    const far = accepted.filter((each) => !isNear(each));
    const isFound = far.length < accepted.length;
    refused.push(...(isFound ? accepted.filter(isNear) : accepted));
    accepted = isFound ? far : [];
    if (refused.length > MOST_REFUSED) throw new TooMany();
  }
}

/** The same pointer for each item of a list, because what is wrong in one is wrong in most. */
export function ofAnyItem(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/0');
}

/** The parts in which a masked value differs from the original. */
export function placesOf(original: unknown, masked: unknown, path: Path = []): Place[] {
  if (original === masked) return [];
  const names = keysOf(original);
  const others = keysOf(masked);
  if (names === undefined || others?.length !== names.length) return [{ path, mask: masked }];
  return names.flatMap((key, index) => {
    const name = others[index] ?? key;
    const below = [...path, key];
    const inside = placesOf(at(original, key), at(masked, name), below);
    return name === key ? inside : [{ path: below, mask: undefined, name }, ...inside];
  });
}

function keysOf(value: unknown): string[] | undefined {
  return typeof value === 'object' && value !== null ? Object.keys(value) : undefined;
}

/** The value with masks at these places. */
function withPlaces(value: unknown, places: readonly Place[], depth = 0): unknown {
  if (places.length === 0) return value;
  const whole = places.find(({ path }) => path.length === depth);
  if (whole) return whole.mask;
  const isName = ({ path, name }: Place): boolean =>
    name !== undefined && path.length === depth + 1;
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const key = place.path[depth] ?? '';
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  const entries = Object.entries(value as object).map(([key, each]): [string, unknown] => {
    const own = groups.get(key) ?? [];
    const below = own.filter((place) => !isName(place));
    return [own.find(isName)?.name ?? key, withPlaces(each, below, depth + 1)];
  });
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** The masks to try at a place, the best first. */
function* attempts(
  original: unknown,
  place: Place,
  accepted: readonly unknown[],
  masker: MessageMasker,
): Generator<Place, undefined> {
  yield place;
  if (place.name !== undefined) return;
  const secret = at(original, ...place.path);
  for (let turn = 0; turn < (typeof secret === 'string' ? TURNS : 0); turn += 1) {
    yield alike(original, place, masker, turn);
  }
  const texts = accepted
    .map((each) => sampleAt(each, place.path))
    .filter((each) => typeof each === typeof secret)
    .map((each) => JSON.stringify(each));
  const all = [...new Set(texts)];
  // The lot decides, not the secret, so that the choice tells nothing.
  const begin = Math.floor(masker.lot(JSON.stringify(secret)) * all.length);
  for (const text of [...all.slice(begin), ...all.slice(0, begin)].slice(0, SAMPLES)) {
    yield { ...place, mask: JSON.parse(text) as unknown };
  }
}

/** The place with a text of the shape of its secret; other secrets keep their mask. */
function alike(original: unknown, place: Place, masker: MessageMasker, turn: number): Place {
  const secret = at(original, ...place.path);
  if (typeof secret !== 'string' || typeof place.mask !== 'string') return place;
  const mask = masker.alike(secret, isMasked(place.mask, 'as a whole'), turn);
  // The same text by chance is no mask.
  return mask === secret ? place : { ...place, mask };
}

/** The part of a sample at a path, or a like one: a list may be shorter. */
function sampleAt(sample: unknown, path: Path): unknown {
  return path.reduce((value, key) => {
    if (Array.isArray(value)) return (value[Number(key)] ?? value.at(-1)) as unknown;
    return isRecord(value) ? at(value, key) : undefined;
  }, sample);
}
