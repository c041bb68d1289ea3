import type { Protocol } from '../../ir/index.js';
import type { Definition } from '../../../json-schema/index.js';
import { exportTypes } from '../imports.js';
import type { Imports } from '../imports.js';
import { planOf } from './plan.js';
import type { Plan } from './plan.js';
import { createScope } from './scope.js';
import type { Scope } from './scope.js';
import { emitWire } from './wire.js';
import { writersOf } from './writers.js';
import type { Writers } from './writers.js';

/**
 * `validators.ts`: `is<Name>` and `validate<Name>` for each definition, and the functions that check
 * messages. Checks are straight-line functions that return whether a value is valid; shapes report the
 * errors of an invalid value.
 */
export function emitValidators(protocol: Protocol): string {
  const plan = planOf(protocol);
  const scope = createScope();
  const writers = writersOf(plan, scope);
  const wire = emitWire(protocol, writers);
  const entries = protocol.definitions.map(({ name }) => entry(name, wire.names, plan, scope));
  const own = definitionSources(writers);
  return [
    scope.text(),
    "import type * as types from './types.js';\n\n",
    exportTypes('validation', ['Validation', 'ValidationError', 'ValidationOptions']),
    wire.exports,
    scope.sets(),
    '\n',
    own,
    wire.text,
    ...entries,
  ].join('');
}

/** The code of a call that validates an expression by a definition, as `Validation<unknown>`. */
export type ValidationOf = (definition: string, value: string, options: string) => string;

/**
 * The checks of some definitions without the functions for messages, and `write`'s text below them. All definitions
 * that `write` asks for, and those that they refer to, are in the module.
 */
export function emitChecks(
  definitions: readonly Definition[],
  write: (validationOf: ValidationOf, imports: Imports) => string,
): string {
  const plan = planOf({ definitions });
  const scope = createScope();
  const text = write((name, value, options) => {
    const own = plan.standIn(name);
    return `${scope.value('report', 'validation')}(${scope.check(own)}, ${scope.shape(own)}, ${value}, ${options})`;
  }, scope);
  const own = definitionSources(writersOf(forArguments(plan), scope));
  return [scope.text(), scope.sets(), '\n', own, text].join('');
}

/** Models leave out what they do not need, so the arguments of a tool have many shapes. */
const BY_KEY_IN_ARGUMENTS = 2;

function forArguments(plan: Plan): Plan {
  return {
    ...plan,
    readingOf: (_, options) => (options < BY_KEY_IN_ARGUMENTS ? 'property' : 'key'),
  };
}

/** Only those that are called. Each definition's check is beside its shape, because similar code compresses better when it is near. */
function definitionSources({ plan, scope, checks, shapes }: Writers): string {
  const made = new Map<string, readonly string[]>();
  for (const name of scope.shapes) {
    const node = plan.definitions.get(name)?.node;
    if (node) made.set(name, [shapes.define(name, node)]);
  }
  const own = checks.flush();
  const written = new Map<string, readonly string[]>();
  // Grows, because a check calls others. In the order of definitions, on which the names of functions depend.
  for (let before = -1; before < written.size;) {
    before = written.size;
    for (const [name, { node }] of plan.definitions) {
      if (scope.checks.has(name) && !written.has(name))
        written.set(name, checks.define(name, node));
    }
  }
  const sources = [...plan.definitions.keys()].flatMap((name) => [
    ...(written.get(name) ?? []),
    ...(made.get(name) ?? []),
  ]);
  return [shapes.leaves().join(''), ...own, ...sources].join('\n');
}

function entry(name: string, taken: readonly string[], plan: Plan, scope: Scope): string {
  const own = plan.standIn(name);
  const options = scope.type('validation', 'ValidationOptions');
  const is = `
export function is${name}(value: unknown, options?: ${options}): value is types.${name} {
  return ${scope.value('check', 'accepts')}(${scope.check(own)}, value, options);
}
`;
  if (taken.includes(`validate${name}`)) return is;
  return `${is}
export function validate${name}(
  value: unknown,
  options?: ${options},
): ${scope.type('validation', 'Validation')}<types.${name}> {
  return ${scope.value('report', 'validation')}(${scope.check(own)}, ${scope.shape(own)}, value, options);
}
`;
}
