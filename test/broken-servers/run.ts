import { startIssuer } from './issuer.js';
import { play, type Played } from './play.js';
import { judge, type Outcome, type Verdict, within } from './judge.js';
import type { Drive } from './clients.js';
import { type Case, right } from './way.js';

export interface Run {
  readonly each: Case;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}

/** One client at one server. Undefined where the client has no means for the case. */
export async function runCase(each: Case, drive: Drive): Promise<Run | undefined> {
  const server: Played =
    each.spoil === undefined
      ? await play(each.over, each.script(), right(each.dialect, each.over))
      : { over: each.over, ...(await startIssuer(each.spoil)) };
  try {
    const driven = drive(server, each);
    if (driven === undefined) return undefined;
    const outcome = await within(driven);
    return { each, outcome, verdict: judge(outcome, each) };
  } finally {
    server.close();
  }
}

/** Calls `work` with each entry, so many at once. */
export async function eachOf<T>(
  all: readonly T[],
  atOnce: number,
  work: (entry: T) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
