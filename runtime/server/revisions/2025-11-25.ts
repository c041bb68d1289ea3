// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import { NOTIFICATIONS, REQUESTS } from '../../../generated/2025-11-25/protocol.js';
import {
  validateCallToolResult,
  validateMessage,
  validateResultOf,
} from '../../../generated/2025-11-25/validators.js';
import { coreRevision } from '../served-core.js';
import type { ServedRevision } from '../platform.js';

/** Revision 2025-11-25, for the `revisions` of a server without Node. */
export const revision20251125: ServedRevision = /* @__PURE__ */ coreRevision('2025-11-25', {
  validators: { validateCallToolResult, validateMessage, validateResultOf },
  tables: { NOTIFICATIONS, REQUESTS },
});
