import type { Format } from '../../ir/index.js';
import { BYTE } from './byte.js';
import { URI_TEMPLATE } from './uri-template.js';
import { URI } from './uri.js';

const CHECKERS: Readonly<Record<Format, { readonly name: string; readonly source: string }>> = {
  byte: { name: 'matchesByte', source: BYTE },
  uri: { name: 'matchesUri', source: URI },
  'uri-template': { name: 'matchesUriTemplate', source: URI_TEMPLATE },
};

/** The function that checks a format: `(value: string) => boolean`. */
export function formatChecker(format: Format): string {
  return CHECKERS[format].name;
}

/**
 * The source of the functions that check these formats, each the same verdict as ajv-formats, in
 * linear time and without recursion. TypeScript, nothing exported, nothing imported, no Node API.
 */
export function formatCheckers(formats: readonly Format[]): string {
  return [...new Set(formats)]
    .sort()
    .map((format) => CHECKERS[format].source)
    .join('\n');
}
