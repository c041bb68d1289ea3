import {
  createJudge,
  type JsonValue,
  type Node,
  read,
  type Refusal,
} from '../../../json-schema/index.js';
import { contains, equal } from '../../../json-schema/compare/index.js';
import { joined } from '../../../json-schema/compare/joined.js';
import type { Schemas } from '../../../json-schema/compare/index.js';
import { createSampler, repaired } from '../../../json-schema/sample/index.js';
import { liftedFrom, walkSchemas } from '../../../json-schema/witness/index.js';
import type { Difference, Direction } from '../../../json-schema/witness/index.js';
import { sayChange } from './say.js';
import { MOST_STEPS, READING, UNREADABLE } from './value-check.js';

/** A value that was accepted and is refused now; for outputs, the reverse. */
export interface Witness {
  readonly value: JsonValue;
  /** Why the other schema refuses it: `must be at least 3`, at a place in the value. */
  readonly refusal: { readonly pointer: string; readonly reason: string };
}

/**
 * - `breaking`: there is a witness.
 * - `compatible`: it is proved that there is none, and no generated value was one.
 * - `unclear`: neither.
 */
export type SchemaVerdict =
  | { readonly verdict: 'breaking'; readonly witness: Witness }
  | { readonly verdict: 'compatible'; readonly tried: number }
  | { readonly verdict: 'unclear'; readonly reason: string };

export type SchemaChange = Pick<Place, 'path' | 'pointer' | 'message'> & SchemaVerdict;

interface Place extends Difference {
  /** What changed: a clause. */
  readonly message: string;
  /** Whether it is an input property that has no meaning any more. */
  readonly isIgnored?: boolean;
}

/**
 * Compares two JSON Schemas of strangers by the values that they accept. Inputs may be widened, outputs narrowed. Empty when
 * both accept the same values.
 */
export function compareSchemas(
  before: JsonValue,
  after: JsonValue,
  direction: Direction,
): readonly SchemaChange[] {
  const schemas = readBoth(before, after);
  if (typeof schemas === 'string') return [{ ...WHOLE, verdict: 'unclear', reason: schemas }];
  try {
    return changesOf(schemas, direction);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const reason = 'the schemas are too large to compare';
    return [{ ...WHOLE, verdict: 'unclear', reason }];
  }
}

/** A removed key that every object of this kind accepts is still accepted, and means nothing. */
function isGone({ change }: Difference): boolean {
  if (change.kind !== 'property' || !change.before) return false;
  return change.before.unlisted !== true && !change.after;
}

const WHOLE = { path: '', pointer: '', message: 'the schema changed' };

interface Both extends Schemas {
  readonly before: Node;
  readonly after: Node;
}

/** Both schemas, with one table of definitions; or why they cannot be compared. */
function readBoth(before: JsonValue, after: JsonValue): Both | string {
  const [one, other] = [read(before, READING), read(after, READING)];
  if (!one.exact || !other.exact) {
    const which = one.exact ? 'new' : 'old';
    return `a part of the ${which} schema ${UNREADABLE}`;
  }
  const { definitions, nodes } = joined(one, other);
  const acceptance = createJudge(definitions, { steps: MOST_STEPS });
  return { before: nodes[0], after: nodes[1], definitions, acceptance };
}

function changesOf(
  { before, after, ...schemas }: Both,
  direction: Direction,
): readonly SchemaChange[] {
  const [narrow, wide] = direction === 'input' ? [before, after] : [after, before];
  const sampler = createSampler([before, after], schemas);
  const differences: Place[] = [];
  const report = (found: Difference): void =>
    void differences.push({
      ...found,
      message: sayChange(found),
      isIgnored: direction === 'input' && isGone(found),
    });
  walkSchemas(before, after, { ...schemas, direction, sampler, report });
  const isSame = equal(before, after, schemas);
  if (differences.length === 0 && !isSame) {
    const lift = (value: JsonValue): JsonValue => value;
    const change = { kind: 'node', before, after } as const;
    const put: Place['put'] = (_, node) => node;
    differences.push({ ...WHOLE, change, narrow, wide, undone: narrow, lift, put });
  }
  let left = MOST_WHOLE;
  const spend = (): boolean => (left -= 1) > 0;
  const root: Root = { narrow, wide, samples: sampler.samples(narrow), spend, ...schemas };
  const examined = differences.slice(0, MOST_DIFFERENCES);
  const changes = examined.map((difference): SchemaChange => ({
    path: difference.path,
    pointer: difference.pointer,
    message: difference.message,
    ...verdictOn(difference, root),
  }));
  if (differences.length > MOST_DIFFERENCES) {
    const message = `${String(differences.length - MOST_DIFFERENCES)} more places changed`;
    const reason = `only ${String(MOST_DIFFERENCES)} places of a schema are examined`;
    changes.push({ path: '', pointer: '', message, verdict: 'unclear', reason });
  }
  return withWhole(changes, examined, root);
}

/** Places that are examined; the others are reported together. */
const MOST_DIFFERENCES = 200;

interface Root extends Schemas {
  readonly narrow: Node;
  readonly wide: Node;
  /** Values of the narrow schema. */
  readonly samples: readonly JsonValue[];
  /** Counts a whole value. False when those for all changes are used up. */
  readonly spend: () => boolean;
}

/** Local witnesses that are tried. */
const MOST_LIFTED = 12;
/** Whole values that are changed until only one change refuses them. */
const MOST_REPAIRED = 4;
/** Whole values for all changes, after which each gets the first that it refuses. */
const MOST_WHOLE = 500;

function verdictOn(difference: Place, root: Root): SchemaVerdict {
  const { narrow, wide, isIgnored } = difference;
  const { acceptance } = root;
  const sampler = createSampler([narrow, wide], root);
  const values = sampler.samples(narrow);
  const refused = values.filter((value) => !acceptance.accepts(wide, value));
  const repair = (value: JsonValue): JsonValue =>
    repaired(value, root.narrow, difference.put('wide', difference.undone), { ...root, sampler });
  const witness = witnessFrom(refused.slice(0, MOST_LIFTED), difference, root, repair);
  if (witness) return { verdict: 'breaking', witness };
  if (refused.length === 0 && contains(wide, narrow, root, 'sent')) {
    if (isIgnored === true) return { verdict: 'unclear', reason: IGNORED };
    return { verdict: 'compatible', tried: values.length };
  }
  if (contains(root.wide, root.narrow, root, 'sent'))
    return { verdict: 'compatible', tried: values.length };
  return { verdict: 'unclear', reason: refused.length > 0 ? NOT_WHOLE : NO_PROOF };
}

const IGNORED = 'a caller that sends it is not refused, but the server may ignore it';
const NOT_WHOLE = 'a part is refused now, but no whole value was found that shows it';
const NO_PROOF = 'no value was found that shows a break, and no proof that there is none';

/** A value that is refused because of this change alone; else one that this change refuses, and others too. */
function witnessFrom(
  values: readonly JsonValue[],
  difference: Difference,
  root: Root,
  repair: (value: JsonValue) => JsonValue,
): Witness | undefined {
  let among: Witness | undefined;
  for (const value of candidates(values, difference, root, repair)) {
    const shown = witnessOf(value, difference, root);
    if (shown.alone) return shown.alone;
    among ??= shown.among;
    if (!root.spend() && among) return among;
  }
  return among;
}

/** Values of the whole narrow schema that a change may refuse alone. */
function* candidates(
  values: readonly JsonValue[],
  { lift }: Difference,
  root: Root,
  repair: (value: JsonValue) => JsonValue,
): Generator<JsonValue> {
  let count = 0;
  for (const value of liftedFrom(values, lift, root.narrow, root)) {
    yield value;
    count += 1;
    if (count <= MOST_REPAIRED) yield repair(value);
  }
  if (values.length > 0) yield* root.samples;
}

/** What a value of the narrow schema shows of a change: that it alone refuses the value, or that it does beside others. */
function witnessOf(
  value: JsonValue,
  { put, wide, undone }: Pick<Difference, 'put' | 'wide' | 'undone'>,
  root: Root,
): { readonly alone?: Witness; readonly among?: Witness } {
  const { acceptance } = root;
  const [refusal] = acceptance.refusals(root.wide, value);
  if (!refusal || !acceptance.accepts(root.narrow, value)) return {};
  if (acceptance.accepts(put('wide', undone), value)) return { alone: witness(value, refusal) };
  const [own] = acceptance.refusals(put('narrow', wide), value);
  return own ? { among: witness(value, own) } : {};
}

function witness(value: JsonValue, { pointer, reason }: Refusal): Witness {
  return { value, refusal: { pointer, reason } };
}

/** Generated values of the whole schema have the last word on what was found place by place. */
function withWhole(
  changes: readonly SchemaChange[],
  differences: readonly Difference[],
  root: Root,
): readonly SchemaChange[] {
  if (changes.length === 0 || changes.some(({ verdict }) => verdict === 'breaking')) return changes;
  const { narrow, wide, samples, ...schemas } = root;
  const value = samples.find((each) => !schemas.acceptance.accepts(wide, each));
  const refusal = value !== undefined && schemas.acceptance.refusals(wide, value)[0];
  if (refusal) {
    const shown = differences.map((each, index) => ({ index, ...witnessOf(value, each, root) }));
    const own = shown.find(({ alone }) => alone) ?? shown.find(({ among }) => among);
    const { path, pointer, message } = (own && changes[own.index]) ?? WHOLE;
    const whole = own?.alone ?? own?.among ?? witness(value, refusal);
    const change: SchemaChange = { path, pointer, message, verdict: 'breaking', witness: whole };
    return own ? changes.with(own.index, change) : [change, ...changes];
  }
  // One alternative that accepts more may accept values of another, so the places alone prove nothing.
  const isProved =
    changes.some(({ verdict }) => verdict !== 'compatible') ||
    contains(wide, narrow, schemas, 'sent');
  return changes.map((change): SchemaChange => {
    if (change.verdict !== 'compatible') return change;
    const { path, pointer, message, tried } = change;
    return isProved
      ? { ...change, tried: tried + samples.length }
      : { path, pointer, message, verdict: 'unclear', reason: NO_PROOF };
  });
}
