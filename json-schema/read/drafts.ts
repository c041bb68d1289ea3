import { type Draft, DRAFTS } from '../draft.js';

const URIS: Readonly<Record<Draft, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema',
  'draft-06': 'http://json-schema.org/draft-06/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

const BY_URI: ReadonlyMap<string, Draft> = new Map(
  DRAFTS.flatMap((draft) => {
    const uri = withoutScheme(URIS[draft]);
    // JSON Hyper-Schema adds links, which are annotations.
    return [uri, uri.replace(/schema$/, 'hyper-schema')].map((each) => [each, draft] as const);
  }),
);

/** The draft that a `$schema` names, with `http` or `https`, with or without `#`; undefined for another one. */
export function draftNamed(uri: string): Draft | undefined {
  return BY_URI.get(withoutScheme(uri));
}

/** Whether a `$schema` names no draft: the URI of the newest one when the schema was written. */
export function isUndated(uri: string): boolean {
  return withoutScheme(uri) === '//json-schema.org/schema';
}

function withoutScheme(uri: string): string {
  return uri.replace(/^https?:/, '').replace(/#$/, '');
}

/** Whether a draft is older than another. */
export function isBefore(draft: Draft, other: Draft): boolean {
  return DRAFTS.indexOf(draft) < DRAFTS.indexOf(other);
}

/** Whether a `$ref` makes its siblings meaningless, except as places to refer to. */
export function refStandsAlone(draft: Draft): boolean {
  return isBefore(draft, '2019-09');
}

/** The usual URIs of the drafts, for messages. */
export const DRAFT_URIS: readonly string[] = DRAFTS.map((draft) => URIS[draft]);

/** The vocabularies whose absence from a metaschema turns assertions such as `type` into annotations. */
export const VALIDATION_VOCABULARIES: readonly string[] = ['2019-09', '2020-12'].map(
  (draft) => `https://json-schema.org/draft/${draft}/vocab/validation`,
);
