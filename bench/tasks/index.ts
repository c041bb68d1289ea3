import type { Bench } from '../bench.js';
import { dbos } from './dbos.js';
import { durability } from './durability.js';
import { footprint } from './footprint.js';
import { growth } from './growth.js';
import { hostility } from './hostility.js';
import { listing } from './listing.js';
import { nodes } from './nodes.js';
import { postgres } from './postgres.js';
import { throughput } from './throughput.js';

/** All rows of tasks without a transport. */
export const taskBenches: readonly Bench[] = [
  throughput,
  listing,
  postgres,
  dbos,
  nodes,
  growth,
  footprint,
  hostility,
  durability,
];
