import type { Host } from '../rule.js';
import { report, tracker } from './evidence.js';

const COPILOT_CLI = 'https://github.com/github/copilot-cli';
const where = 'models of Google, in GitHub Copilot CLI 1.0.83';
const says = 'Every prompt fails while the server is enabled.';

export const copilot: Host = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  rules: [
    {
      check: 'type',
      id: 'type-list',
      kind: 'list-as-items',
      where,
      effect: 'drops',
      says,
      evidence: [tracker(`${COPILOT_CLI}/issues/4623`, '2026-09-08')],
    },
    {
      check: 'boolean-schema',
      where,
      effect: 'drops',
      says,
      evidence: [tracker(`${COPILOT_CLI}/issues/4623`, '2026-09-08')],
    },
    {
      check: 'enum-of-array',
      where,
      effect: 'reported',
      says,
      evidence: [report(`${COPILOT_CLI}/issues/4835`, '2026-09-14')],
    },
  ],
};
