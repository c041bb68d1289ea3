/** The spellings of a draft in `$schema`. */
export const DRAFT_2020_12: readonly string[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
];
