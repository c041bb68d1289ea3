import type * as z from 'zod';
import {
  type Definition,
  jsonPointer,
  type JsonValue,
  leadingTo,
  referencesOf,
} from '../../json-schema/index.js';
import { partsOf, randomFrom } from '../read/variants.js';
import type { Random } from '../read/variants.js';
import { createDrawer } from './draw.js';
import type { Generated, Loaded } from './generated.js';
import { mutantOf } from './mutants.js';
import { createOracle } from './oracle.js';

export interface Effort {
  /** Definitions of one schema that are tried; the document itself always is. */
  readonly definitions: number;
  /** Values for each, half of them mutants. */
  readonly values: number;
  readonly seed: number;
}

/** A verdict that differs from ajv's, where no other implementation takes ours. */
export interface Difference {
  readonly definition: string;
  readonly pointer: string;
  readonly value: JsonValue;
  readonly expected: boolean;
  readonly is: boolean | string;
  readonly validate: boolean | string;
  readonly zod: boolean | string;
}

/** What was found in one schema. */
export interface Findings {
  readonly label: string;
  readonly definitions: number;
  readonly opaque: readonly string[];
  /** Definitions that ajv cannot compile, with its reason. */
  readonly unjudged: readonly string[];
  readonly differences: readonly Difference[];
  readonly crashes: readonly string[];
  readonly values: number;
  readonly accepted: number;
  /** ajv differs from ours, and another implementation does not. */
  readonly disputed: number;
  readonly issues: number;
  readonly issuesWithPath: number;
  /** Issues of Zod at a place where the validator reports an error. */
  readonly issuesInAgreement: number;
  readonly misplaced: readonly string[];
}

interface Checks {
  readonly is: (value: unknown, options: object) => boolean;
  readonly validate: (value: unknown, options: object) => Verdict;
  readonly zod: z.ZodType;
}

type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly errors: readonly { readonly pointer: string }[] };

const FORMATS = { formats: true };

/** Compares the verdicts of `is`, `validate` and Zod with ajv's, on values that came with the schema and drawn ones. */
export function judge(generated: Generated, loaded: Loaded, effort: Effort): Findings {
  const { protocol, foreign, json, documents } = generated;
  const random = randomFrom(effort.seed);
  const draw = createDrawer(protocol.definitions, random);
  const faulty = withFaults(generated);
  const oracle = createOracle(json, protocol.draft ?? '2020-12', documents);
  const parts = partsOf(json)
    .filter((part) => typeof part !== 'object')
    .slice(0, 2_000);
  const found = {
    opaque: [] as string[],
    unjudged: [] as string[],
    differences: [] as Difference[],
    crashes: [] as string[],
    misplaced: [] as string[],
    ...{ values: 0, accepted: 0, disputed: 0 },
    ...{ issues: 0, issuesWithPath: 0, issuesInAgreement: 0 },
  };
  for (const definition of protocol.definitions) {
    if (isOpaque(loaded.zod[`${definition.name}Schema`], definition)) {
      found.opaque.push(definition.name);
    }
  }
  for (const definition of chosen(protocol.definitions, mostOf(json, effort), random)) {
    const { name, pointer = '' } = definition;
    const checks = checksOf(loaded, name);
    const ajv = attempt(() => oracle.at(pointer));
    if ('error' in ajv) {
      found.unjudged.push(`${name} at ${pointer}: ${String(ajv.error)}`);
      continue;
    }
    let other: ReturnType<typeof oracle.secondAt> | undefined;
    const second = (value: JsonValue): boolean | undefined => {
      const judged = attempt(() => (other ??= oracle.secondAt(pointer))(value));
      return 'value' in judged ? judged.value : undefined;
    };
    const own = pointer === '' ? foreign.instances : [];
    for (const value of values(definition, own, draw, parts, random, effort.values)) {
      const expected = attempt(() => ajv.value(value));
      if ('error' in expected) continue;
      const is = attempt(() => checks.is(value, FORMATS));
      const verdict = attempt(() => checks.validate(value, FORMATS));
      const parse = attempt(() => checks.zod.safeParse(value));
      found.values += 1;
      found.accepted += Number(expected.value);
      for (const each of [is, verdict, parse]) {
        if ('error' in each) found.crashes.push(`${name}: ${String(each.error)}`);
      }
      const ours = 'value' in verdict ? verdict.value.ok : undefined;
      const valid = [shown(is), ours ?? 'threw', 'value' in parse ? parse.value.success : 'threw'];
      const isLenient = faulty.has(name) && valid.every((each) => each === true);
      if (!isLenient && valid.some((each) => each !== expected.value)) {
        const agreed = valid.every((each) => each === ours);
        if (agreed && second(value) === ours) found.disputed += 1;
        else {
          const [one = '', two = '', zod = ''] = valid;
          const each = { definition: name, pointer, value, expected: expected.value };
          found.differences.push({ ...each, is: one, validate: two, zod });
        }
      }
      if ('value' in parse && !parse.value.success && 'value' in verdict && !verdict.value.ok) {
        countIssues(found, name, parse.value.error, verdict.value.errors);
      }
    }
  }
  return { label: foreign.label, definitions: protocol.definitions.length, ...found };
}

/**
 * The definitions that have faults, or lead to some. They accept each value that they would accept without the fault, and
 * others, which ajv refuses: its `oneOf` may count the place of a fault.
 */
function withFaults({ protocol, diagnostics }: Generated): ReadonlySet<string> {
  const faults = diagnostics.filter(({ help }) => help?.endsWith('it refuses no value.'));
  const own = protocol.definitions.filter(({ pointer = '' }) =>
    faults.some((fault) => `${fault.pointer ?? ''}/`.startsWith(`${pointer}/`)),
  );
  const references = new Map(
    protocol.definitions.map(({ name, node }) => [name, referencesOf(node)] as const),
  );
  return new Set(
    leadingTo(
      own.map(({ name }) => name),
      references,
    ),
  );
}

/** Adds the issues of one value to the counts. */
function countIssues(
  found: { issues: number; issuesWithPath: number; issuesInAgreement: number; misplaced: string[] },
  name: string,
  error: z.ZodError,
  errors: readonly { readonly pointer: string }[],
): void {
  const pointers = new Set(errors.map(({ pointer }) => pointer));
  for (const issue of error.issues) {
    const path = jsonPointer(issue.path.map(String));
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const places = [path, ...keys.map((key) => jsonPointer([...issue.path.map(String), key]))];
    const agrees = places.some((place) => pointers.has(place));
    found.issues += 1;
    if (path !== '' || keys.length > 0 || pointers.has('')) found.issuesWithPath += 1;
    if (agrees) found.issuesInAgreement += 1;
    else found.misplaced.push(`${name}: ${issue.code} at ${path}, not ${[...pointers].join(' ')}`);
  }
}

/** ajv loses the dynamic scope of a document that it enters by a pointer, so there only the document itself is judged. */
function mostOf(json: JsonValue, { definitions }: Effort): number {
  return /"\$(?:dynamic|recursive)Ref"/.test(JSON.stringify(json)) ? 0 : definitions;
}

function chosen(all: readonly Definition[], most: number, random: Random): readonly Definition[] {
  const own = all.filter(({ document }) => document === undefined);
  const [root, others] = [
    own.filter(({ pointer }) => pointer === ''),
    own.filter(({ pointer }) => pointer !== '' && pointer !== undefined),
  ];
  while (others.length > most) others.splice(random(others.length), 1);
  return [...root, ...others];
}

function* values(
  { node }: Definition,
  own: readonly JsonValue[],
  draw: (node: Definition['node']) => JsonValue,
  parts: readonly JsonValue[],
  random: Random,
  most: number,
): Iterable<JsonValue> {
  const pool: JsonValue[] = [...own];
  const seen = new Set<string>();
  const isNew = (value: JsonValue): boolean => {
    const { size } = seen;
    return seen.add(JSON.stringify(value)).size > size;
  };
  for (const value of own) if (isNew(value)) yield value;
  for (let count = 0; count < most / 2; count += 1) {
    const value = draw(node);
    pool.push(value);
    if (isNew(value)) yield value;
  }
  for (let count = 0; count < most / 2; count += 1) {
    const value = mutantOf(pool[random(pool.length)] ?? null, parts, random);
    if (random(4) === 0) pool.push(value);
    if (isNew(value)) yield value;
  }
}

function checksOf({ zod, validators }: Loaded, name: string): Checks {
  return {
    is: validators[`is${name}`] as Checks['is'],
    validate: validators[`validate${name}`] as Checks['validate'],
    zod: zod[`${name}Schema`] as z.ZodType,
  };
}

/** Whether Zod has nothing to show of a definition that says more than that any value is valid. */
export function isOpaque(schema: unknown, { node }: Definition): boolean {
  if (node.kind === 'any') return false;
  let inner = schema as {
    readonly def?: { type?: string; innerType?: unknown; getter?: () => unknown };
  };
  for (let count = 0; count < 20; count += 1) {
    const { type, innerType, getter } = inner.def ?? {};
    const next = type === 'lazy' ? getter?.() : innerType;
    if (next === undefined) return type === undefined || OPAQUE.has(type);
    inner = next as typeof inner;
  }
  return false;
}

const OPAQUE: ReadonlySet<string> = new Set(['custom', 'unknown', 'any']);

type Attempt<T> = { readonly value: T } | { readonly error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

const shown = (attempted: Attempt<boolean>): boolean | string =>
  'value' in attempted ? attempted.value : 'threw';
