import type { Bench } from '../bench.js';
import { burden } from './burden.js';
import { features } from './features.js';
import { files } from './files.js';
import { flood } from './flood.js';
import { peers } from './peers.js';
import { size } from './size.js';
import { speed } from './speed.js';
import { start } from './start.js';

/** The rows of the task goals that need HTTP, against an SDK v1 server in the same run. */
export const serverBenches: readonly Bench[] = [
  peers,
  features,
  files,
  size,
  flood,
  start,
  speed,
  burden,
];
