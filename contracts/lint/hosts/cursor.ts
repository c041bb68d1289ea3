import type { Host } from '../rule.js';
import { report, tracker } from './evidence.js';

const CURSOR = 'https://github.com/cursor/cursor';

export const cursor: Host = {
  id: 'cursor',
  name: 'Cursor',
  rules: [
    {
      check: 'type',
      id: 'type-list',
      kind: 'list',
      where: 'versions of 2025',
      effect: 'misreads',
      says: 'Its check of arguments refuses every value of such a parameter.',
      evidence: [
        tracker(`${CURSOR}/issues/3540`, '2025-08-29'),
        tracker(`${CURSOR}/issues/3778`, '2025-11-13'),
      ],
    },
    {
      check: 'tool-name-length',
      most: 60,
      prefix: 1,
      effect: 'reported',
      says: 'A tool whose name and server have 60 characters or more is left out.',
      evidence: [
        report('https://github.com/ComposioHQ/composio/issues/2788', '2026-02-27'),
        report('https://github.com/PostHog/posthog/pull/51483', '2026-03-18'),
      ],
    },
  ],
};
