// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import type { RevisionVersion } from '../protocol/index.js';

/** The validators of each revision, loaded when they are needed. */
export const VALIDATORS = {
  '2026-07-28': () => import('../../generated/2026-07-28/validators.js'),
  '2025-11-25': () => import('../../generated/2025-11-25/validators.js'),
  '2025-06-18': () => import('../../generated/2025-06-18/validators.js'),
  '2025-03-26': () => import('../../generated/2025-03-26/validators.js'),
  '2024-11-05': () => import('../../generated/2024-11-05/validators.js'),
} as const satisfies Record<RevisionVersion, () => Promise<object>>;
