import type { Bench } from '../bench.js';
import { latency } from './latency.js';
import { throughput } from './throughput.js';

export const taskBenches: readonly Bench[] = [latency, throughput];
