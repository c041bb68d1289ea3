import type * as Yaml from 'yaml';
import { DiagnosticError } from '../../diagnostics/index.js';
import { quote } from '../../../json-schema/text.js';

/** How often an anchor may be used, counting the aliases inside of it. */
const MOST_ALIASES = 1_000;

/** Whether the name of a file or the path of a URL ends as those of YAML do. */
export function isYaml(location: string): boolean {
  return /\.ya?ml$/i.test(location);
}

/**
 * YAML 1.2 with the merge key `<<` as JSON, by `parse` of the package `yaml`, which the caller loads. An alias is
 * written out.
 *
 * @throws {DiagnosticError} `not-json`: for text that is no YAML, several documents, and what JSON cannot say.
 */
export function jsonOfYaml(parse: typeof Yaml.parse, text: string, label: string): string {
  if (text.trim() === '') throw refused(label, 'The text is not YAML: it is empty.');
  let value: unknown;
  try {
    // Aliases could write out more than memory holds.
    value = parse(text, {
      maxAliasCount: MOST_ALIASES,
      merge: true,
      stringKeys: true,
      prettyErrors: true,
      logLevel: 'error',
    });
  } catch (error) {
    throw refused(label, whyNotYaml(error as Error));
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

/** Some messages of the package are for programmers who call it. */
function whyNotYaml(error: Error & Partial<Pick<Yaml.YAMLError, 'code' | 'linePos'>>): string {
  if (error.code === 'MULTIPLE_DOCS') return 'The file has multiple YAML documents. Keep one.';
  if (error.name === 'ReferenceError' && /^Excessive alias count/.test(error.message)) {
    return `Aliases write out one place more than ${MOST_ALIASES.toLocaleString('en')} times.`;
  }
  // Without what the message quotes: the text may be any file of the user.
  const [reason = ''] = error.message.split(/ at line |["'`:\\%\n]/);
  const { line, col } = error.linePos?.[0] ?? {};
  const place = line === undefined ? '' : ` at line ${String(line)}, column ${String(col)}`;
  return `The text is not YAML: ${reason.trim().replace(/\.$/, '')}${place}.`;
}

function refused(source: string, message: string): DiagnosticError {
  return new DiagnosticError([{ code: 'not-json', severity: 'error', message, source }]);
}
