import { createChecks } from './checks.js';
import type { Checks } from './checks.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import { createShapes } from './shapes.js';
import type { Shapes } from './shapes.js';

/** What the functions of one file are written with. */
export interface Writers {
  readonly plan: Plan;
  readonly scope: Scope;
  readonly checks: Checks;
  readonly shapes: Shapes;
}

export function writersOf(plan: Plan, scope: Scope): Writers {
  const checks = createChecks(plan, scope);
  return { plan, scope, checks, shapes: createShapes(plan, scope, checks) };
}
