// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import * as tables_2024_11_05 from '../../generated/2024-11-05/protocol.js';
import * as tables_2025_03_26 from '../../generated/2025-03-26/protocol.js';
import * as tables_2025_06_18 from '../../generated/2025-06-18/protocol.js';
import * as tables_2025_11_25 from '../../generated/2025-11-25/protocol.js';
import * as tables_2026_07_28 from '../../generated/2026-07-28/protocol.js';
import * as tables_ext_tasks from '../../generated/ext-tasks/protocol.js';

/** The generated modules of each revision, oldest first. Validators are loaded when they are needed. */
export const REVISION_MODULES = {
  '2024-11-05': {
    tables: tables_2024_11_05,
    load: () => import('../../generated/2024-11-05/validators.js'),
  },
  '2025-03-26': {
    tables: tables_2025_03_26,
    load: () => import('../../generated/2025-03-26/validators.js'),
  },
  '2025-06-18': {
    tables: tables_2025_06_18,
    load: () => import('../../generated/2025-06-18/validators.js'),
  },
  '2025-11-25': {
    tables: tables_2025_11_25,
    load: () => import('../../generated/2025-11-25/validators.js'),
  },
  '2026-07-28': {
    tables: tables_2026_07_28,
    load: () => import('../../generated/2026-07-28/validators.js'),
  },
} as const;

/** Those of each extension. */
export const EXTENSION_MODULES = {
  'ext-tasks': {
    tables: tables_ext_tasks,
    load: () => import('../../generated/ext-tasks/validators.js'),
  },
} as const;
