import { startBare } from './bare.js';
import { startFastmcp } from './fastmcp.js';
import type { Kind, Usage } from './kinds.js';
import { startOurs } from './ours.js';
import { startPeer } from './peer.js';
import { startSdk } from './sdk.js';
import { startSdkModern } from './sdk-modern.js';
import { aborts } from './work.js';

/** A server in its own process. It sends its URL to its parent and, on request, its resource usage. */
const START: Readonly<Record<Kind, () => Promise<string>>> = {
  ours: () => startOurs(false),
  'ours-limited': () => startOurs(true),
  peer: startPeer,
  sdk: startSdk,
  'sdk-modern': startSdkModern,
  fastmcp: startFastmcp,
  bare: startBare,
};
const url = await START[process.argv[2] as Kind]();

process.on('message', (wanted) => {
  if (wanted === 'collect') {
    global.gc?.();
    global.gc?.();
  }
  const { user, system } = process.cpuUsage();
  const { heapUsed: heap, rss } = process.memoryUsage();
  const usage: Usage = { cpu: user + system, heap, rss, aborts };
  process.send?.(usage);
});
process.once('disconnect', () => process.exit());
process.send?.({ url });
