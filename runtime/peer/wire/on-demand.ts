import { MODULES } from './revision-modules.js';
import { PROTOCOL_VERSIONS } from '../../protocol.js';
import type { RevisionSource } from './revision.js';

/** @throws {RangeError} for a name that no revision has. */
export function assertKnown(versions: readonly string[]): void {
  const known: readonly string[] = PROTOCOL_VERSIONS;
  const unknown = versions.find((each) => !known.includes(each));
  if (unknown === undefined) return;
  throw new RangeError(
    `Unknown revision ${JSON.stringify(unknown)}: choose from ${known.join(', ')}`,
  );
}

/** Imports the modules of a revision when a server needs it. Bundlers follow every import, so a bundle of it has all. */
export const ON_DEMAND: RevisionSource = {
  async modules(version) {
    const load = MODULES[version];
    const [validators, tables] = await Promise.all([load.validators(), load.protocol()]);
    return { validators, tables };
  },
  async tasksExtension() {
    const [{ validateTaskSubscriptionNotifications, wire }, { NOTIFICATIONS, REQUESTS }] =
      await Promise.all([
        import('../../../generated/ext-tasks/validators.js'),
        import('../../../generated/ext-tasks/protocol.js'),
      ]);
    return { validateTaskSubscriptionNotifications, wire, NOTIFICATIONS, REQUESTS };
  },
};
