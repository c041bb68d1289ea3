import { quote } from '../../json-schema/text.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { factsFor } from '../ir/index.js';
import type { SchemaDocument } from '../ir/index.js';
import { loadRevision } from '../read/load/index.js';
import type { LoadedSchema } from '../read/load/index.js';

/**
 * What no longer applies to a draft, of what is corrected in the revision that it is a draft of, and of what is
 * known about it beside the schema. A schema that is no draft has none.
 */
export function lossesOf(
  { document, revision, draft }: LoadedSchema,
  errata: boolean,
): Diagnostic[] {
  if (draft === undefined || draft === revision) return [];
  const before = loadRevision(draft).document;
  return [
    ...(errata ? lostErrata(document, before, draft) : []),
    ...lostFacts(document, before, draft),
  ];
}

function lostErrata(document: SchemaDocument, before: SchemaDocument, draft: string): Diagnostic[] {
  const applied = new Set((document.errata ?? []).map(({ id }) => id));
  return (before.errata ?? [])
    .filter(({ id }) => !applied.has(id))
    .map(({ id, pointer, was }) => ({
      code: 'unused-erratum',
      severity: 'warning',
      message: `The correction ${quote(id)} of ${draft} no longer applies: ${JSON.stringify(was)} is not at its place.`,
      pointer,
      help: 'Check the place: either the schema is right now, or it needs another correction.',
    }));
}

function lostFacts(document: SchemaDocument, before: SchemaDocument, draft: string): Diagnostic[] {
  const used = factsFor(document);
  return [...factsFor(before)]
    .filter((fact) => !used.has(fact))
    .map((fact) => ({
      code: 'unused-fact',
      severity: 'warning',
      message: `A fact about ${draft} that its schema does not contain no longer applies: ${fact}.`,
      help: 'Check whether the fact still holds under another name.',
    }));
}
