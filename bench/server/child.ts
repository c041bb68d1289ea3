import type { Kind } from './client.js';
import { startOurs } from './ours.js';
import { startPeer } from './peer.js';
import { startSdk } from './sdk.js';
import { aborts } from './work.js';

/** A server in a process of its own. Tells its parent where it is and, when asked, what it uses. */
export interface Usage {
  /** Microseconds of processor time so far. */
  readonly cpu: number;
  /** Bytes in use, rubbish included unless it was to be collected first. */
  readonly heap: number;
  readonly aborts: readonly number[];
}

const START: Readonly<Record<Kind, () => Promise<string>>> = {
  ours: () => startOurs(false),
  'ours-limited': () => startOurs(true),
  peer: startPeer,
  sdk: startSdk,
};
const url = await START[process.argv[2] as Kind]();

process.on('message', (wanted) => {
  if (wanted === 'collect') {
    global.gc?.();
    global.gc?.();
  }
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpu: user + system, heap: process.memoryUsage().heapUsed, aborts };
  process.send?.(usage);
});
process.once('disconnect', () => process.exit());
process.send?.({ url });
