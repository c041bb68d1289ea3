import { DiagnosticError, jsonProblem } from '../../diagnostics/index.js';
import type { JsonValue } from '../../../json-schema/index.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import { duplicateDefinition } from './entries.js';
import type { Limits } from './limits.js';
import { scanJson } from './scan.js';

/** @throws {DiagnosticError} `not-json`, `too-large` or `duplicate-definition`. */
export function parse(text: string, limits: Limits): JsonValue {
  const json = parseJson(text);
  const { depth, duplicates } = scanJson(text, 2);
  if (depth > limits.depth) {
    throw new DiagnosticError([
      {
        code: 'too-large',
        severity: 'error',
        message: `The document has ${String(depth)} levels, more than the limit of ${String(limits.depth)}.`,
      },
    ]);
  }
  const twice = duplicates.find(
    ([container, name]) => name && ['$defs', 'definitions'].includes(container ?? ''),
  );
  if (twice) throw duplicateDefinition(twice);
  refuseInfinity(json, []);
  return json;
}

/** Refuses numbers such as `1e400`, which are JSON but become `Infinity`. */
function refuseInfinity(value: JsonValue, path: readonly (string | number)[]): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseInfinity(inner, [...path, key]);
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new DiagnosticError([
      {
        code: 'too-large',
        severity: 'error',
        message: 'A number is larger than JavaScript can represent.',
        pointer: jsonPointer(path),
        help: 'Use a number of at most 1.79e308, or remove the limit.',
      },
    ]);
  }
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const { reason, help } = jsonProblem(text, error);
    throw new DiagnosticError([
      { code: 'not-json', severity: 'error', message: `The text is not JSON: ${reason}.`, help },
    ]);
  }
}

/** Adds the source to the diagnostics that `work` throws. */
export function naming<T>({ label }: { readonly label: string }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw new DiagnosticError(
      error.diagnostics.map((each) => ({ ...each, source: each.source ?? label })),
    );
  }
}
