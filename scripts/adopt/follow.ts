import { spawnSync } from 'node:child_process';
import { writeModules } from '../revisions/write.js';

/** The commands that write what follows from `schema/`, in this order. */
export function commandsFor(revision: string): (readonly [name: string, ...args: string[]])[] {
  return [['generate', revision], ['generate'], ['names'], ['packages'], ['docs']];
}

/** Writes the code, the package entries and the pages that follow from `schema/`. @throws {Error} */
export async function follow(
  root: string,
  revision: string,
  say: (line: string) => void,
): Promise<void> {
  for (const path of await writeModules(root)) say(`Wrote ${path}`);
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
