/** The drafts of JSON Schema that are read, oldest first. */
export const DRAFTS = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const;
export type Draft = (typeof DRAFTS)[number];

/** What becomes of the keywords beside a `$ref` up to draft-07, which gives them no meaning. */
export const REF_SIBLINGS = ['ignore', 'honour'] as const;
export type RefSiblings = (typeof REF_SIBLINGS)[number];
