/**
 * `npm run subjects` lists the commits whose subject is not `area: what changes` in fewer than 70 characters, and ends with 1
 * when there are some. It reads the commits since the rule is checked, which a shallow clone may have in part.
 */
import { spawnSync } from 'node:child_process';
import { faultOf } from './subject.js';

/** The rule is older; the commits before this time are not rewritten. */
const SINCE = '2026-11-26T02:00:00Z';

const git = ['log', '--no-merges', `--since-as-filter=${SINCE}`, '--format=%h %s'];
const { status, stdout, stderr } = spawnSync('git', git, { encoding: 'utf8' });

if (status !== 0) {
  // A folder without a repository, such as an unpacked archive, has no commits to check.
  console.log(`Skipped, because git log fails: ${stderr.trim()}`);
} else {
  const faults = stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const fault = faultOf(line.slice(line.indexOf(' ') + 1));
      return fault === undefined ? [] : [`${line}\n  ${fault}`];
    });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
