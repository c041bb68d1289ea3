import type { Format, Protocol } from '../../ir/index.js';
import { FORMATS } from '../../ir/index.js';
import { formatChecker, formatCheckers } from '../formats/index.js';
import { CHECKING } from './checking.js';
import { createChecks } from './checks.js';
import { PUBLIC_TYPES } from './public-types.js';
import { piecesFor } from './pieces.js';
import { planOf } from './plan.js';
import type { Plan } from './plan.js';
import { REPORTING } from './reporting.js';
import { createShapes } from './shapes.js';
import { emitWire } from './wire.js';
import { WIRE } from './wire-source.js';

/**
 * `validators.ts`: for each definition `is<Name>` and `validate<Name>`, and what reads messages off
 * the wire. Checks are straight-line functions that only say yes or no; shapes are what the report
 * is made from once a check has said no.
 */
export function emitValidators(protocol: Protocol): string {
  const plan = planOf(protocol);
  const wire = emitWire(protocol, plan).join('');
  const own = definitionSources(plan);
  const entries = protocol.definitions.map(({ name }) => entry(name, wire, plan)).join('');
  const said = [entries, wire, own].join('\n');
  const formats = FORMATS.filter((format) => uses(said, format));
  return [
    "import type * as types from './types.js';\n",
    ...piecesFor(said, { ...PUBLIC_TYPES, ...WIRE, ...CHECKING, ...REPORTING }),
    ...(formats.length > 0 ? ['\n', formatCheckers(formats)] : []),
    '\n',
    own,
    wire,
    entries,
  ].join('');
}

/** Each definition's check beside its shape: what is alike compresses better when it is near. */
function definitionSources(plan: Plan): string {
  const checks = createChecks(plan);
  const shapes = createShapes(plan);
  const sources = [...plan.definitions]
    .filter(([name]) => plan.standIn(name) === name)
    .flatMap(([name, { node }]) => [...checks.define(name, node), shapes.define(name, node)]);
  return [shapes.leaves().join(''), ...sources].join('\n');
}

function uses(text: string, format: Format): boolean {
  return text.includes(`${formatChecker(format)}(`);
}

/** The wire says more of what some names stand for. */
function entry(name: string, wire: string, plan: Plan): string {
  const own = plan.standIn(name);
  const is = `
export function is${name}(value: unknown, options?: ValidationOptions): value is types.${name} {
  return accepts(check${own}, value, options);
}
`;
  if (wire.includes(`function validate${name}(`) || wire.includes(`function validate${name}<`))
    return is;
  return `${is}
export function validate${name}(
  value: unknown,
  options?: ValidationOptions,
): Validation<types.${name}> {
  return validation(check${own}, shape${own}, value, options);
}
`;
}
