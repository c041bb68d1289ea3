/** A subject is shorter than this: `git log --oneline` shows it on a terminal of 80 columns, after the hash. */
const LIMIT = 70;

/** What is wrong with the subject of a commit. Undefined when nothing is. */
export function faultOf(subject: string): string | undefined {
  // As `git revert` and `git commit --fixup` write them, longer than the subject of the other commit.
  if (/^(?:Revert "|fixup! |squash! )/.test(subject)) return undefined;
  const { length } = [...subject];
  if (length >= LIMIT) return `has ${length} characters: write fewer than ${LIMIT}`;
  return /^[\w./@-]+(?:, [\w./@-]+)*: \S/.test(subject)
    ? undefined
    : 'does not begin with the area that changes: write "area: what changes"';
}
