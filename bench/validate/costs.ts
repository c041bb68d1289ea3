import type { Contender } from './contender.js';
import { each, interleaved, ratios, without } from './measure.js';
import { parsed } from './traffic.js';
import type { Sample } from './traffic.js';

export interface Effort {
  readonly rounds: number;
  /** Microseconds for which each contender runs before. */
  readonly warmUp: number;
}

/** Each contender's time for these messages, relative to `JSON.parse`. */
export function costsOf<K extends string>(
  running: ReadonlyMap<K, Contender>,
  samples: readonly Sample[],
  effort: Effort,
): Map<K, readonly number[]> {
  const texts = samples.map(({ message }) => JSON.stringify(message));
  const copies = samples.map(parsed);
  const jobs: Record<string, () => void> = {
    parse: each(texts, (text) => JSON.parse(text)),
    nothing: each(copies, ({ from }) => from),
  };
  for (const [name, { receive }] of running) jobs[name] = each(copies, receive);
  const found = interleaved(jobs, effort);
  const own = (name: string): number[] => without(found[name], found['nothing']);
  const parse = own('parse');
  return new Map([...running.keys()].map((name) => [name, ratios(own(name), parse)]));
}
