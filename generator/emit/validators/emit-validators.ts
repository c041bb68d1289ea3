import type { Protocol } from '../../ir/index.js';
import { exportTypes } from '../imports.js';
import { createChecks } from './checks.js';
import { planOf } from './plan.js';
import type { Plan } from './plan.js';
import { createScope } from './scope.js';
import type { Scope } from './scope.js';
import { createShapes } from './shapes.js';
import { emitWire } from './wire.js';

/**
 * `validators.ts`: `is<Name>` and `validate<Name>` for each definition, and the functions that check
 * messages. Checks are straight-line functions that return whether a value is valid; shapes report the
 * errors of an invalid value.
 */
export function emitValidators(protocol: Protocol): string {
  const plan = planOf(protocol);
  const scope = createScope();
  const wire = emitWire(protocol, plan, scope);
  const entries = protocol.definitions.map(({ name }) => entry(name, wire.names, plan, scope));
  const own = definitionSources(plan, scope);
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

/** Each definition's check is beside its shape, because similar code compresses better when it is near. */
function definitionSources(plan: Plan, scope: Scope): string {
  const checks = createChecks(plan, scope);
  const shapes = createShapes(plan, scope, checks);
  const made = new Map<string, string>();
  for (const name of scope.shapes) {
    const node = plan.definitions.get(name)?.node;
    if (node) made.set(name, shapes.define(name, node));
  }
  const own = checks.flush();
  const sources = [...plan.definitions]
    .filter(([name]) => plan.standIn(name) === name)
    .flatMap(([name, { node }]) => [...checks.define(name, node), made.get(name) ?? []].flat());
  return [shapes.leaves().join(''), ...own, ...sources].join('\n');
}

function entry(name: string, taken: readonly string[], plan: Plan, scope: Scope): string {
  const own = plan.standIn(name);
  const options = scope.type('validation', 'ValidationOptions');
  const is = `
export function is${name}(value: unknown, options?: ${options}): value is types.${name} {
  return ${scope.value('check', 'accepts')}(check${own}, value, options);
}
`;
  if (taken.includes(`validate${name}`)) return is;
  return `${is}
export function validate${name}(
  value: unknown,
  options?: ${options},
): ${scope.type('validation', 'Validation')}<types.${name}> {
  return ${scope.value('report', 'validation')}(check${own}, ${scope.shape(own)}, value, options);
}
`;
}
