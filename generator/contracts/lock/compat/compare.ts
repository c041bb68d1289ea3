import type { Definition, JsonValue, Node } from '../../../ir/index.js';
import { contains } from './contains.js';
import type { Schemas } from './proof.js';
import { hintsOf } from './hints.js';
import { createAcceptance, TooManySteps } from './acceptance.js';
import { createSchemaReader, UNREADABLE } from './read-schema.js';
import { createSampler } from './samples.js';
import type { Difference, Direction } from './difference.js';
import { walkSchemas } from './walk.js';

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

export type SchemaChange = Pick<Difference, 'path' | 'pointer' | 'message'> & SchemaVerdict;

/**
 * Compares two JSON Schemas of strangers by the values that they accept. Inputs may be widened, outputs narrowed. Empty when
 * both accept the same values.
 */
export function compareSchemas(
  before: JsonValue,
  after: JsonValue,
  direction: Direction,
): readonly SchemaChange[] {
  const whole = { path: '', pointer: '', message: 'the schema changed' };
  const schemas = readBoth(before, after);
  if (typeof schemas === 'string') return [{ ...whole, verdict: 'unclear', reason: schemas }];
  try {
    return changesOf(schemas, direction);
  } catch (error) {
    if (!(error instanceof TooManySteps) && !(error instanceof RangeError)) throw error;
    const reason = 'the schemas are too large to compare';
    return [{ ...whole, verdict: 'unclear', reason }];
  }
}

interface Both extends Schemas {
  readonly before: Node;
  readonly after: Node;
}

/** Both schemas, with one table of definitions; or why they cannot be compared. */
function readBoth(before: JsonValue, after: JsonValue): Both | string {
  const read = createSchemaReader();
  const [one, other] = [read(before, 'Before'), read(after, 'After')];
  if (!one.exact || !other.exact) {
    const which = one.exact ? 'new' : 'old';
    return `a part of the ${which} schema ${UNREADABLE}`;
  }
  const all = [...one.definitions, ...other.definitions];
  const definitions = new Map(all.map((each): [string, Definition] => [each.name, each]));
  const ref = (name: string): Node => ({ kind: 'ref', name });
  return {
    before: ref('Before'),
    after: ref('After'),
    definitions,
    acceptance: createAcceptance(definitions),
  };
}

function changesOf({ before, after, ...schemas }: Both, direction: Direction): SchemaChange[] {
  const { definitions, acceptance } = schemas;
  const [narrow, wide] = direction === 'input' ? [before, after] : [after, before];
  const sampler = createSampler(definitions, hintsOf([before, after], definitions), acceptance);
  const differences: Difference[] = [];
  const report = (difference: Difference): void => void differences.push(difference);
  walkSchemas(before, after, { ...schemas, direction, sampler, report });
  const isSame = contains(before, after, 'all', schemas) && contains(after, before, 'all', schemas);
  if (differences.length === 0 && !isSame) {
    const lift = (value: JsonValue): JsonValue => value;
    report({ path: '', pointer: '', message: 'the schema changed', narrow, wide, lift });
  }
  const root: Root = { narrow, wide, direction, ...schemas };
  const changes: SchemaChange[] = differences.slice(0, MOST_DIFFERENCES).map((difference) => ({
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
  return withWhole(changes, root, sampler.samples(narrow));
}

/** Places that are examined; the others are reported together. */
const MOST_DIFFERENCES = 200;

interface Root extends Schemas {
  readonly narrow: Node;
  readonly wide: Node;
  readonly direction: Direction;
}

/** Local witnesses that are tried, and values around each. */
const MOST_LIFTED = 12;
const TURNS = 8;

function verdictOn(difference: Difference, root: Root): SchemaVerdict {
  const { narrow, wide, ignored } = difference;
  const { definitions, acceptance } = root;
  const sampler = createSampler(definitions, hintsOf([narrow, wide], definitions), acceptance);
  const values = sampler.samples(narrow);
  const refused = values.filter((value) => !acceptance.accepts(wide, value));
  const witness = witnessFrom(refused.slice(0, MOST_LIFTED), difference, root);
  if (witness) return { verdict: 'breaking', witness };
  if (refused.length === 0 && contains(wide, narrow, 'sent', root)) {
    if (ignored !== undefined) return { verdict: 'unclear', reason: IGNORED };
    return { verdict: 'compatible', tried: values.length };
  }
  if (contains(root.wide, root.narrow, 'sent', root))
    return { verdict: 'compatible', tried: values.length };
  return { verdict: 'unclear', reason: refused.length > 0 ? NOT_WHOLE : NO_PROOF };
}

const IGNORED = 'a caller that sends it is not refused, but the server may ignore it';
const NOT_WHOLE = 'a part is refused now, but no whole value was found that shows it';
const NO_PROOF = 'no value was found that shows a break, and no proof that there is none';

function witnessFrom(
  values: readonly JsonValue[],
  { lift }: Difference,
  { narrow, wide, acceptance }: Root,
): Witness | undefined {
  for (const value of values) {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const whole = lift(value, turn);
      if (!acceptance.accepts(narrow, whole)) continue;
      const refusal = acceptance.refusal(wide, whole);
      if (refusal) return { value: whole, refusal };
    }
  }
  return undefined;
}

/** Generated values of the whole schema have the last word on what was found place by place. */
function withWhole(
  changes: readonly SchemaChange[],
  { narrow, wide, ...schemas }: Root,
  values: readonly JsonValue[],
): SchemaChange[] {
  if (changes.length === 0 || changes.some(({ verdict }) => verdict === 'breaking'))
    return [...changes];
  for (const value of values) {
    const refusal = schemas.acceptance.refusal(wide, value);
    if (!refusal) continue;
    const [{ path, pointer, message }] = changes as [SchemaChange];
    return [
      { path, pointer, message, verdict: 'breaking', witness: { value, refusal } },
      ...changes.slice(1),
    ];
  }
  // One alternative that accepts more may accept values of another, so the places alone prove nothing.
  const isProved =
    changes.some(({ verdict }) => verdict !== 'compatible') ||
    contains(wide, narrow, 'sent', schemas);
  return changes.map((change) => {
    if (change.verdict !== 'compatible') return change;
    const { path, pointer, message, tried } = change;
    return isProved
      ? { ...change, tried: tried + values.length }
      : { path, pointer, message, verdict: 'unclear', reason: NO_PROOF };
  });
}
