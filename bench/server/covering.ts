import { Session } from 'node:inspector';

/** Required ahead of a server's own code. Sends on request which files ran since the last request. */

/** What ran, by the URL of its file: the number of functions. */
export interface Covered {
  readonly covered: Readonly<Record<string, number>>;
}

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', (wanted) => {
  if (wanted !== 'covered') return;
  // Taking the coverage sets the counts to zero.
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const covered: Record<string, number> = {};
    for (const { url, functions } of result) {
      const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      if (ran.length > 0) covered[url] = ran.length;
    }
    process.send?.({ covered } satisfies Covered);
  });
});
