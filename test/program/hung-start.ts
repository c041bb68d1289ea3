/** A program whose start never ends, such as one that waits for a lock in a database. */

import { runUntilStopped } from '../../runtime/program/program.js';

const DRAIN_MS = 100;

void runUntilStopped(() => {
  console.log('starting');
  return new Promise(() => setInterval(() => undefined, 1_000));
}, DRAIN_MS);
