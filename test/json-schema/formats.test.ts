import fc from 'fast-check';
import { expect, it } from 'vitest';
import { USUAL } from '../../json-schema/formats.js';
import { matchesDateTime } from '../../json-schema/portable/date-time.js';
import { matchesEmail } from '../../json-schema/portable/email.js';
import { sized } from '../support/size.js';

const CHECKS = { 'date-time': matchesDateTime, email: matchesEmail } as const;

it.each(Object.keys(CHECKS) as (keyof typeof CHECKS)[])(
  'the usual texts of the format %s have it',
  (format) => {
    const usual = USUAL[format];
    if (usual === undefined) throw new Error(`no usual texts of ${format}`);
    fc.assert(
      fc.property(fc.stringMatching(usual), (text) => {
        expect(CHECKS[format](text), text).toBe(true);
      }),
      { numRuns: sized(5000), seed: 45 },
    );
  },
);
