import type { InvitedGuest } from '../sdk-guest/guest.js';
import type { Dialect, Telemetry } from '../tasks/index.js';
import type { Operations } from '../telemetry/index.js';
import type { RevisionSource } from '../wire/revision.js';
import type { DialectModule } from './dialects/index.js';
import type { Guest } from './guest.js';

/**
 * Where a server gets what not every server needs. On Node it imports that on demand. A bundler follows such imports too,
 * so the entry for other places imports nothing of it, and its users import the revisions that they serve.
 */
export interface Platform {
  readonly revisions: RevisionSource;
  /** Rejects for a dialect that it does not have. */
  dialect(name: Dialect): Promise<DialectModule>;
  /** Absent where a server has no guest. */
  inviteGuest?(invited: InvitedGuest): Promise<Guest>;
  /** Record messages and tasks. */
  operations(): Operations;
  telemetry(): Telemetry;
}
