import type { Bench } from '../bench.js';
import { receive } from './receive.js';
import { TRAFFIC_REVISIONS } from './traffic.js';

/** Every row of the goals for validating a message, for each revision that traffic is made of. */
export const validateBenches: readonly Bench[] = TRAFFIC_REVISIONS.flatMap((revision) => [
  receive(revision),
]);
