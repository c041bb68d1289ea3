import type { Bench } from '../bench.js';
import { entries } from './entries.js';
import { footprint } from './footprint.js';
import { kinds } from './kinds.js';
import { receive, receiveLists, receiveUniform } from './receive.js';
import { report } from './report.js';
import { toolSchemas } from './tool-schemas.js';
import { TRAFFIC_REVISIONS } from './traffic.js';
import { unions } from './unions/index.js';

/** All rows of validating a message, for each revision, and of the arguments of tools. */
export const validateBenches: readonly Bench[] = [
  ...TRAFFIC_REVISIONS.map(kinds),
  ...TRAFFIC_REVISIONS.map(receiveUniform),
  ...TRAFFIC_REVISIONS.map(receiveLists),
  ...TRAFFIC_REVISIONS.flatMap((revision) => [
    receive(revision),
    report(revision),
    entries(revision),
    footprint(revision),
  ]),
  toolSchemas,
  unions,
];
