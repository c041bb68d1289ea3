import type { Definitions } from '../lookup.js';
import type { Node } from '../model.js';
import { Checks } from './checks.js';
import { refusalsOf } from './refusals.js';
import type { Refusal } from './refusals.js';
import type { Check } from './steps.js';

export interface CompileOptions {
  /** Whether formats are checked. Default: true. */
  readonly formats?: boolean;
  /** How often one check may look at a part of the value. Default: 10,000,000, which take 0.1 to 1 s, and
   * suffice for every value of 10 MB that its schema looks at twice. */
  readonly steps?: number;
}

export interface RefusalOptions {
  /** All refusals, not only the first one. */
  readonly all?: boolean;
  /** The most refusals. Default: 100. */
  readonly limit?: number;
}

/**
 * Decides about values of nodes. It runs no code of a schema, ends after a bounded number of steps, and
 * matches patterns in linear time.
 */
export interface Judge {
  /** @throws {TooManySteps}, and a `RangeError` for a value that is nested too deeply. */
  accepts(node: Node, value: unknown): boolean;
  /** Why a value is refused; empty when it is not. Throws what `accepts` throws. */
  refusals(node: Node, value: unknown, options?: RefusalOptions): Refusal[];
}

const MOST_STEPS = 10_000_000;
const MOST_REFUSALS = 100;

/** The judge of all nodes whose references lead to these definitions. Each node is compiled at its first value. */
export function createJudge(definitions: Definitions, options?: CompileOptions): Judge {
  const checks = checksOf(definitions, options);
  return {
    accepts(node, value) {
      checks.begin();
      return checks.of(node)(value);
    },
    refusals: (node, value, wanted) => refusalsOf(checks, node, value, most(wanted)),
  };
}

/** A node that is compiled: see {@link Judge}. */
export interface Compiled {
  readonly accepts: (value: unknown) => boolean;
  readonly refusals: (value: unknown, options?: RefusalOptions) => Refusal[];
}

/** The checks of one node. */
export function compile(
  node: Node,
  definitions: Definitions = new Map(),
  options?: CompileOptions,
): Compiled {
  const checks = checksOf(definitions, options);
  let check: Check | undefined;
  return {
    accepts(value) {
      checks.begin();
      return (check ??= checks.of(node))(value);
    },
    refusals: (value, wanted) => refusalsOf(checks, node, value, most(wanted)),
  };
}

function checksOf(
  definitions: Definitions,
  { formats = true, steps = MOST_STEPS }: CompileOptions = {},
): Checks {
  return new Checks(definitions, formats, steps);
}

const most = ({ all = false, limit = MOST_REFUSALS }: RefusalOptions = {}): number =>
  all ? limit : 1;
