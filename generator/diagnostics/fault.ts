import type { Fault } from '../../json-schema/index.js';
import type { Diagnostic } from './diagnostic.js';

/**
 * The diagnostic of a fault in a schema. A fault that costs its place is a warning, which says so, because the rest is as
 * the schema says; it is an error where the user wants no such schema.
 */
export function diagnosticOf(fault: Fault, strict = false): Diagnostic {
  if (fault.severity === 'warning') return fault;
  const help = [fault.help, REFUSES_NOTHING].filter((each) => each !== undefined).join(' ');
  return { ...fault, severity: strict ? 'error' : 'warning', help };
}

const REFUSES_NOTHING = 'Until it is corrected, it refuses no value.';
