import type { EntryId } from '../schema-words.js';
import type { Decision, Previous, SourceText } from './decision.js';
import { lineOfObject, lineWith } from './places.js';
import { isObject } from './read-schema.js';
import type { JsonObject } from './read-schema.js';
import type { Statement } from './statement.js';

/** The corrections that applied to the schema before, and do not apply to the adopted one. */
export function lostCorrections(
  adopted: Statement,
  previous: Previous,
  { file, text }: SourceText,
): Decision[] {
  return previous.corrections
    .filter((id) => !adopted.corrections.includes(id))
    .map((id) => ({
      file,
      line: lineWith(text, `id: '${id}'`),
      what: `the correction "${id}" applies no longer: is ${adopted.name} right without it?`,
    }));
}

/** The facts beside the schema that applied to the one before, and do not apply to the adopted one. */
export function lostFacts(
  adopted: Statement,
  previous: Previous,
  { file, text }: SourceText,
): Decision[] {
  return [...previous.facts]
    .filter((fact) => !adopted.facts.has(fact))
    .map((json) => {
      const fact = JSON.parse(json) as JsonObject;
      return {
        file,
        line: lineOfObject(text, fact),
        what: `a fact beside the schema applies no longer: ${sayFact(fact)}. Does it hold in ${adopted.name} under another name?`,
      };
    });
}

function sayFact(fact: JsonObject): string {
  const text = (name: string): string => fact[name] as string;
  const { needs } = fact;
  if (isObject(needs)) {
    const path = (needs['path'] as readonly string[]).join('.');
    return `${text('method')} needs ${path} of the ${needs['party'] as string}`;
  }
  if ('sender' in fact) return `the ${text('sender')} sends ${text('method')}`;
  if ('result' in fact) return `${text('method')} may return ${text('result')}`;
  return `${text('definition')} reserves ${text('key')} in _meta`;
}

/** The texts of `schema/` that no revision uses any more. */
export function lostWords(unused: readonly EntryId[], files: readonly SourceText[]): Decision[] {
  return unused.map((id) => {
    const path = id.slice(0, id.lastIndexOf('@'));
    const found = files.find(({ text }) => text.includes(`"${path}"`));
    return {
      file: found?.file ?? 'schema/descriptions',
      line: lineWith(found?.text ?? '', `"${path}"`),
      what: `remove ${id}: no revision uses it any more`,
    };
  });
}
