import { spawnSync } from 'node:child_process';

/** What the package has of each revision: all but the metamodel. */
const EMITS = 'types,zod,validators,protocol,standard';

/** The commands that write what follows from `schema/`, in this order. */
export function commandsFor(revision: string): (readonly [name: string, ...args: string[]])[] {
  return [['generate', revision, '--emit', EMITS], ['generate'], ['names'], ['packages'], ['docs']];
}

/** Writes the code, the package entries and the pages that follow from the list of revisions. @throws {Error} */
export function follow(root: string, revision: string, say: (line: string) => void): void {
  for (const [name, ...args] of commandsFor(revision)) {
    say(shown(name, args));
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const command = ['run', '--silent', name, '--', ...args];
    const { status, stdout, stderr } = spawnSync(npm, command, { cwd: root, encoding: 'utf8' });
    // Stale figures are for a quiet machine: `npm run docs` says so, and writes the pages.
    if (status !== 0 && name !== 'docs') {
      throw new Error(`npm run ${name} fails:\n${stdout}${stderr}`);
    }
  }
}

/** A command as its user types it. */
export function shown(name: string, args: readonly string[]): string {
  return ['npm run', name, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
}
