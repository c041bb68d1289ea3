/** The drafts of JSON Schema that are read. */
export type Draft = 'draft-07' | '2020-12';

const DRAFTS: Readonly<Record<string, Draft>> = {
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/** The draft that a `$schema` names; undefined for another one. */
export function draftNamed(uri: string): Draft | undefined {
  const name = uri.replace(/#$/, '');
  return Object.hasOwn(DRAFTS, name) ? DRAFTS[name] : undefined;
}

/** The usual URIs of the drafts, for messages. */
export const DRAFT_URIS: readonly string[] = [
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

/** The vocabulary whose absence from a metaschema turns assertions such as `type` into annotations. */
export const VALIDATION_VOCABULARY = 'https://json-schema.org/draft/2020-12/vocab/validation';
