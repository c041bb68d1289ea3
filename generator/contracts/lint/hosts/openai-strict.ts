import type { Host } from '../rule.js';
import { openai } from './openai.js';

const READ = '2026-11-25';
/** The subset of `strict: true`, kept by others as a profile of its own. */
const SUBSET = 'https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai';
const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ');

const says = 'A schema for strict mode is refused.';

export const openaiStrict: Host = {
  id: 'openai-strict',
  name: 'OpenAI, strict',
  rules: [
    ...openai.rules,
    { check: 'open-object', effect: 'drops', says, source: SUBSET, read: READ },
    { check: 'optional-property', effect: 'drops', says, source: SUBSET, read: READ },
    {
      check: 'keyword',
      names: ['allOf', 'oneOf', 'not', 'dependentRequired', 'dependentSchemas', 'if'],
      effect: 'drops',
      says,
      source: SUBSET,
      read: READ,
    },
    { check: 'format', accepts: FORMATS, effect: 'drops', says, source: SUBSET, read: READ },
    { check: 'depth', most: 10, effect: 'drops', says, source: SUBSET, read: READ },
    { check: 'property-count', most: 5000, effect: 'drops', says, source: SUBSET, read: READ },
    { check: 'enum-count', most: 1000, effect: 'drops', says, source: SUBSET, read: READ },
  ],
};
