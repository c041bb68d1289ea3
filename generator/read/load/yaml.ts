import type * as Yaml from 'yaml';
import { DiagnosticError, quote } from '../../diagnostics/index.js';

/** Whether the name of a file or the path of a URL ends as those of YAML do. */
export function isYaml(location: string): boolean {
  return /\.ya?ml$/i.test(location);
}

/**
 * YAML 1.2 as JSON, by `parse` of the package `yaml`, which the caller loads. An alias is written out.
 *
 * @throws {DiagnosticError} `not-json`: for text that is no YAML, several documents, and what JSON cannot say.
 */
export function jsonOfYaml(parse: typeof Yaml.parse, text: string, label: string): string {
  let value: unknown;
  try {
    // Aliases could write out more than memory holds.
    value = parse(text, { maxAliasCount: 100, stringKeys: true, prettyErrors: true });
  } catch (error) {
    const [reason = ''] = String((error as Error).message).split('\n');
    throw refused(label, `The text is not YAML: ${reason.replace(/[.:]$/, '')}.`);
  }
  try {
    return JSON.stringify(value ?? null, (_key, inner: unknown) => {
      if (typeof inner !== 'number' || Number.isFinite(inner)) return inner;
      throw new RangeError(`JSON has no number ${String(inner)}`);
    });
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'an alias contains itself';
    throw refused(label, `${quote(label)} cannot be read as JSON: ${reason}.`);
  }
}

function refused(source: string, message: string): DiagnosticError {
  return new DiagnosticError([{ code: 'not-json', severity: 'error', message, source }]);
}
