import { jsonPointer } from '../../json-schema/pointer.js';
import { isRecord } from './access.js';
import { RULES } from './finding.js';
import type { Breach, FindingCode, Severity } from './finding.js';
import { checkDefinition } from './protocol.js';
import type { Dialect, Fault } from './protocol.js';
import type { Ruling } from './rules.js';

/** Findings of one message's definition. */
export const FAULTS = 100;
/** Rules that also apply to messages that do not match their definition. Other rules need valid messages. */
export const ALWAYS: ReadonlySet<FindingCode> = new Set(['reused-id', 'result-and-error']);
export const NO_RULING: Ruling = { breaches: [], parts: [] };

export function severityOf({ code, severity = RULES[code].severity }: Breach): Severity {
  return severity;
}

/** Elsewhere, the batch itself is a finding. */
export function inBatch(method: string, { validators }: Dialect): Breach[] {
  if (method !== 'initialize' || !validators.batches) return [];
  const message = 'initialize is in a batch: send it alone.';
  return [{ code: 'batched-initialize', message, key: ['method'] }];
}

/** The faults of a message's parts, with pointers into the message. */
export function partFaults({ parts }: Ruling, dialect: Dialect): Fault[] {
  return parts.flatMap(({ key, definition, value }) => {
    const base = jsonPointer(key);
    return checkDefinition(definition, value, dialect, FAULTS).map((fault) => ({
      ...fault,
      pointer: base + fault.pointer,
      message:
        fault.message.replace(/^The value\b/, '') === fault.message
          ? base + fault.message
          : fault.message.replace(/^The value\b/, () => base),
    }));
  });
}

export function resultAndError(value: unknown): Breach[] {
  if (!isRecord(value) || value['method'] !== undefined) return [];
  if (value['result'] === undefined || value['error'] === undefined) return [];
  const message = 'An answer has a result or an error, not both.';
  return [{ code: 'result-and-error', message, key: ['error'] }];
}
