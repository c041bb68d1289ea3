// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import { NOTIFICATIONS, REQUESTS } from '../../../generated/2026-07-28/protocol.js';
import {
  validateCallToolResult,
  validateInputRequest,
  validateMessage,
  validateResultOf,
} from '../../../generated/2026-07-28/validators.js';
import { extRevision } from '../served-ext.js';
import type { ServedRevision } from '../platform.js';

/** Revision 2026-07-28, for the `revisions` of a server without Node. */
export const revision20260728: ServedRevision = /* @__PURE__ */ extRevision('2026-07-28', {
  validators: { validateCallToolResult, validateInputRequest, validateMessage, validateResultOf },
  tables: { NOTIFICATIONS, REQUESTS },
});
