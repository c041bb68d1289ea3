import * as tables20251125 from '../../generated/2025-11-25/protocol.js';
import * as v20251125 from '../../generated/2025-11-25/validators.js';
import * as tables20260728 from '../../generated/2026-07-28/protocol.js';
import * as v20260728 from '../../generated/2026-07-28/validators.js';
import { REQUESTS } from '../../generated/ext-tasks/protocol.js';
import { wire } from '../../generated/ext-tasks/validators.js';
import { createRevision } from './revision.js';

/** The revision in which each dialect's messages are written, for clients: they may meet either. */
export const DIALECT_REVISIONS = {
  core: createRevision('2025-11-25', 'core', v20251125, tables20251125),
  ext: createRevision('2026-07-28', 'ext', v20260728, tables20260728, [{ REQUESTS, wire }]),
} as const;
