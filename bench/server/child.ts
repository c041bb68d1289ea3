import type { Kind, Usage } from './kinds.js';
import { aborts } from './work.js';

/**
 * A server in its own process. It loads only what it runs, sends its URL to its parent and, on request, its
 * resource usage.
 */
const START: Readonly<Record<Kind, () => Promise<string>>> = {
  ours: async () => (await import('./ours.js')).startOurs(false),
  'ours-limited': async () => (await import('./ours.js')).startOurs(true),
  'ours-web': async () => (await import('./ours.js')).startOursWeb(),
  peer: async () => (await import('./peer.js')).startPeer(),
  sdk: async () => (await import('./sdk.js')).startSdk('json'),
  'sdk-streams': async () => (await import('./sdk.js')).startSdk('streams'),
  'sdk-modern': async () => (await import('./sdk-modern.js')).startSdkModern(),
  tmcp: async () => (await import('./tmcp.js')).startTmcp(),
  fastmcp: async () => (await import('./fastmcp.js')).startFastmcp(),
  bare: async () => (await import('./bare.js')).startBare(),
  'bare-web': async () => (await import('./bare-web.js')).startBareWeb(),
};
const url = await START[process.argv[2] as Kind]();

process.on('message', (wanted) => {
  if (wanted !== 'usage' && wanted !== 'collect') return;
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
