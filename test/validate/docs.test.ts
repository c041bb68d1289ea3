import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FINDINGS } from '../../generator/validate/index.js';
import type { Rule } from '../../generator/validate/codes/rule.js';

it('docs/validating.md lists every rule with the text of the code', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/validating.md'), 'utf8');
  const [, section = ''] = /\n## Rules\n([\s\S]*?)\n## /.exec(text) ?? [];
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const rules: readonly (readonly [string, Rule])[] = Object.entries(FINDINGS);
  expect(rows).toEqual(
    rules.map(([code, { severity, scope = 'all', requirements, rule }]) => [
      `\`${code}\``,
      severity,
      scope,
      requirements.join(', '),
      rule,
    ]),
  );
});
