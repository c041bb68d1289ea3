/**
 * The entry `@mcp-codegen/runtime/json-schema`: a schema of a stranger is read once, then checks values, draws some, and is
 * compared with others. It runs no code of a schema, fetches nothing, and ends after a bounded number of steps.
 */
import { contains as proves } from './compare/contains.js';
import { joined } from './compare/joined.js';
import { compile, createJudge } from './compile/compile.js';
import type { CompileOptions, RefusalOptions } from './compile/compile.js';
import type { Refusal } from './compile/refusals.js';
import { mapNode } from './lookup.js';
import type { Definitions } from './lookup.js';
import type { JsonValue, Node } from './model.js';
import type { Fault } from './read/report.js';
import { read } from './read/whole.js';
import type { ReadSchemaOptions, WholeSchema } from './read/whole.js';
import { sample } from './sample/samples.js';
import { witnessOf } from './witness/witness.js';

export type { CompileOptions, RefusalOptions } from './compile/compile.js';
export type { Refusal } from './compile/refusals.js';
export { TooManySteps } from './compile/steps.js';
export type { Draft, RefSiblings } from './draft.js';
export type { JsonPrimitive, JsonValue } from './model.js';
export type { Fault, FaultCode } from './read/report.js';
export type { ReadSchemaOptions } from './read/whole.js';
export { metaschemaFaults } from './valid.js';
export type { ValidOptions } from './valid.js';

export interface SchemaOptions extends ReadSchemaOptions, CompileOptions {}

/** A schema that was read. */
export interface Schema {
  /** What is wrong with it. Each error costs its own place, which accepts everything; a warning costs nothing. */
  readonly faults: readonly Fault[];
  /** Whether no fault is an error, so that `accepts` has the verdict of the whole schema. */
  readonly exact: boolean;
  /** @throws {RangeError} `TooManySteps` after `steps`, and the engine's own for a value that nests too deeply. */
  readonly accepts: (value: unknown) => boolean;
  /** Why a value is refused: the first reason, or all; empty for a value that is accepted. Throws what `accepts` throws. */
  readonly refusals: (value: unknown, options?: RefusalOptions) => Refusal[];
  /**
   * Values that it accepts, at most 240: the simplest first, then those at its limits. Empty when none is found. Throws
   * what `accepts` throws.
   */
  readonly samples: () => JsonValue[];
  /** One of them: the same for the same seed, which is a whole number. Default: the simplest. */
  readonly sample: (seed?: number) => JsonValue | undefined;
}

/**
 * - `proved`: no value refutes it.
 * - `refuted`: `witness` does, and `refusal` is why one of the schemas refuses it.
 * - `unclear`: neither a proof nor a witness was found; `reason` is a clause.
 */
export type Comparison =
  | { readonly verdict: 'proved' }
  | { readonly verdict: 'refuted'; readonly witness: JsonValue; readonly refusal: Refusal }
  | { readonly verdict: 'unclear'; readonly reason: string };

/** How often one check of a drawn value may look at a part of it. */
const MOST_STEPS = 100_000;

const models = new WeakMap<Schema, WholeSchema>();

/** Reads a schema of any draft: JSON that was parsed, or `true` or `false`. It never throws: see `faults`. */
export function readSchema(schema: unknown, options: SchemaOptions = {}): Schema {
  const { formats = true, steps, ...others } = options;
  const whole = read(schema, others);
  const model = formats ? whole : { ...whole, definitions: withoutFormats(whole.definitions) };
  const { node, definitions, faults, exact } = model;
  let drawn: readonly JsonValue[] | undefined;
  const draw = (): readonly JsonValue[] =>
    (drawn ??= sample(node, { definitions, acceptance: judgeOf(definitions) }));
  const made: Schema = {
    faults,
    exact,
    ...compile(node, definitions, steps === undefined ? {} : { steps }),
    // Listed values are parts of the schema, which a caller could change.
    samples: () => structuredClone([...draw()]),
    sample: (seed = 0) => structuredClone(draw().at(seed % draw().length)),
  };
  models.set(made, model);
  return made;
}

/** Whether `outer` accepts every value of `inner`. A witness is a value that only `inner` accepts. */
export function contains(outer: Schema, inner: Schema): Comparison {
  const [one, other] = [modelOf(outer), modelOf(inner)];
  if (!one.exact || !other.exact) return unclear('a schema has faults');
  try {
    const { definitions, nodes } = joined(one, other);
    const [wide, narrow] = nodes;
    const schemas = { definitions, acceptance: judgeOf(definitions) };
    if (proves(wide, narrow, schemas)) return { verdict: 'proved' };
    const witness = witnessOf(wide, narrow, schemas);
    const [refusal] = witness === undefined ? [] : outer.refusals(witness);
    if (witness === undefined || !refusal)
      return unclear('neither a proof nor a value that refutes it was found');
    return { verdict: 'refuted', witness, refusal };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unclear('the schemas are too large to compare');
  }
}

/** Whether both accept the same values, however they are written. A witness is a value that only one of them accepts. */
export function equal(one: Schema, other: Schema): Comparison {
  const outward = contains(one, other);
  const inward = outward.verdict === 'refuted' ? outward : contains(other, one);
  return inward.verdict === 'proved' ? outward : inward;
}

const unclear = (reason: string): Comparison => ({ verdict: 'unclear', reason });

const judgeOf = (definitions: Definitions) => createJudge(definitions, { steps: MOST_STEPS });

function modelOf(schema: Schema): WholeSchema {
  const model = models.get(schema);
  if (!model) throw new TypeError('Compare schemas that readSchema returned.');
  return model;
}

function withoutFormats(definitions: Definitions): Definitions {
  const bare = (node: Node): Node => {
    if (node.kind !== 'string') return node;
    const { format: _, ...rest } = node;
    return rest;
  };
  return new Map(
    [...definitions].map(([name, each]) => [name, { ...each, node: mapNode(each.node, bare) }]),
  );
}
