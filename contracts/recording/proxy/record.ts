import type { Recording } from '../index.js';
import type { Watcher } from './watcher.js';

/** Records the messages that pass. */
export function recordingWatcher(
  recording: Recording,
  onProblem: (problem: string) => void,
): Watcher {
  return {
    holds: false,
    see(passing) {
      const { from, fault } = passing;
      if (fault?.kind !== 'too-large') recording.write(passing);
      else onProblem(`A message of the ${from} was passed on and not recorded: it ${fault.why}.`);
      return undefined;
    },
  };
}
