import type { Bench } from '../bench.js';
import { burden } from './burden.js';
import { features } from './features.js';
import { flood } from './flood.js';
import { peers } from './peers.js';
import { speed } from './speed.js';
import { start } from './start.js';

/** The rows of the task goals that need HTTP, against an SDK v1 server in the same run. */
export const serverBenches: readonly Bench[] = [peers, features, flood, start, speed, burden];
