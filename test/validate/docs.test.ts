import { expect, it } from 'vitest';
import { FINDINGS } from '../../contracts/validate/index.js';
import type { Rule } from '../../contracts/validate/codes/rule.js';
import { rowsUnder } from '../support/page-table.js';

it('docs/validating.md lists every rule with the text of the code', () => {
  const rules: readonly (readonly [string, Rule])[] = Object.entries(FINDINGS);
  expect(rowsUnder('validating.md', '## Rules')).toEqual(
    rules.map(([code, { severity, scope = 'all', requirements, rule }]) => [
      `\`${code}\``,
      severity,
      scope,
      requirements.join(', '),
      rule,
    ]),
  );
});
