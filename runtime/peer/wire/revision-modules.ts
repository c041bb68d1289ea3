// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import type { RevisionVersion } from '../../protocol.js';

/** The validators and the tables of each revision, loaded when they are needed. */
export const MODULES = {
  '2026-07-28': {
    validators: () => import('../../../generated/2026-07-28/validators.js'),
    protocol: () => import('../../../generated/2026-07-28/protocol.js'),
  },
  '2025-11-25': {
    validators: () => import('../../../generated/2025-11-25/validators.js'),
    protocol: () => import('../../../generated/2025-11-25/protocol.js'),
  },
  '2025-06-18': {
    validators: () => import('../../../generated/2025-06-18/validators.js'),
    protocol: () => import('../../../generated/2025-06-18/protocol.js'),
  },
  '2025-03-26': {
    validators: () => import('../../../generated/2025-03-26/validators.js'),
    protocol: () => import('../../../generated/2025-03-26/protocol.js'),
  },
  '2024-11-05': {
    validators: () => import('../../../generated/2024-11-05/validators.js'),
    protocol: () => import('../../../generated/2024-11-05/protocol.js'),
  },
} as const satisfies Record<RevisionVersion, Record<string, () => Promise<object>>>;
