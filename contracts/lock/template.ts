import { quote } from '../../json-schema/text.js';
import type { Change } from './change.js';
import type { Sent } from './model.js';

type Entry = readonly [template: string, entry: Sent];

/** What is known of templates that are gone: which one of the same name replaces each. */
export function replacedTemplates(
  gone: readonly Entry[],
  added: readonly Entry[],
): ReadonlyMap<string, Partial<Change>> {
  return new Map(
    gone.flatMap(([template, entry]): [string, Partial<Change>][] => {
      const [other] =
        added.find(([, { name }]) => name !== undefined && name === entry['name']) ?? [];
      return other === undefined ? [] : [[template, replacement(template, other)]];
    }),
  );
}

function replacement(template: string, other: string): Partial<Change> {
  const change = {
    rule: 'input',
    direction: 'input',
    message: `the template is ${quote(other)} now`,
    before: template,
    after: other,
  } as const;
  if (isExtension(template, other)) {
    return {
      ...change,
      verdict: 'compatible',
      reason: 'each URI of the old one is also one of the new',
    };
  }
  return { ...change, reason: 'the server may not find the URIs of the old one any more' };
}

/** Whether the new template only adds variables of the query, which may be left out. */
function isExtension(template: string, other: string): boolean {
  return other.startsWith(template) && /^\{[?&][\w.,:*%]+\}$/.test(other.slice(template.length));
}
