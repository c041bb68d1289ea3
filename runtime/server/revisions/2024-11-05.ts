// Written by `npm run revisions` from schema/revisions.json. Do not edit.

import { NOTIFICATIONS, REQUESTS } from '../../../generated/2024-11-05/protocol.js';
import {
  validateCallToolResult,
  validateMessage,
  validateResultOf,
} from '../../../generated/2024-11-05/validators.js';
import { coreRevision } from '../served-core.js';
import type { ServedRevision } from '../platform.js';

/** Revision 2024-11-05, for the `revisions` of a server without Node. */
export const revision20241105: ServedRevision = /* @__PURE__ */ coreRevision('2024-11-05', {
  validators: { validateCallToolResult, validateMessage, validateResultOf },
  tables: { NOTIFICATIONS, REQUESTS },
});
