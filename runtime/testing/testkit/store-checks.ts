import { administrationChecks } from './administration.js';
import { crashChecks } from './crash.js';
import { creationChecks } from './creation.js';
import { damageChecks } from './damage.js';
import { expiryChecks, leaseChecks } from './leases.js';
import { listingChecks } from './listing.js';
import { notificationChecks } from './notifications.js';
import { processChecks } from './processes.js';
import { recordChecks } from './records.js';
import { reopeningChecks } from './reopening.js';
import { sharingChecks } from './sharing.js';
import type { StoreCheck, StoreUnderTest } from './store-under-test.js';
import { lacks, runCheck } from './trial.js';
import { writeFailureChecks } from './write-failures.js';

const CHECKS = [
  ...recordChecks,
  ...creationChecks,
  ...listingChecks,
  ...expiryChecks,
  ...leaseChecks,
  ...administrationChecks,
  ...reopeningChecks,
  ...crashChecks,
  ...writeFailureChecks,
  ...damageChecks,
  ...processChecks,
  ...sharingChecks,
  ...notificationChecks,
];

/**
 * The checks of a store, for any test runner:
 *
 *     for (const { name, skip, run } of storeChecks(store)) test(name, { skip }, run);
 *
 * Each makes a place of its own. All are listed; one that the store says it cannot pass has the reason.
 */
export function storeChecks<Place>(store: StoreUnderTest<Place>): readonly StoreCheck[] {
  return CHECKS.map(({ name, needs, run }) => ({
    name,
    skip: needs.map((need) => lacks(store, need)).find((reason) => reason !== undefined) ?? false,
    run: () => runCheck(store, run),
  }));
}
