import { existsSync, readFileSync } from 'node:fs';
import { Findings } from '../contracts/doctor/index.js';
import type { Examination } from '../contracts/doctor/index.js';
import { changeAsLine, parseLock, sayCounts } from '../contracts/lock/index.js';
import type { Change } from '../contracts/lock/index.js';
import { textAt } from '../contracts/validate/index.js';
import type { CallingArguments } from './calling.js';
import { CommandFailure } from './exit.js';
import type { Io } from './io.js';
import { compareLock, fails, promisesOf, sayPromises, shownPath, writeLock } from './locks.js';

interface Locking {
  /** An absolute path. */
  readonly lock: string;
  /** Whether the command line names it. Else it may be the lock of another server. */
  readonly isNamed: boolean;
  readonly isWritten: boolean;
  readonly args: CallingArguments;
}

/** The examination with what has changed since the lock, if there is one. Writes the lock where that is asked for. */
export async function changesSince(
  examination: Examination,
  { lock, isNamed, isWritten, args }: Locking,
  io: Io,
): Promise<Examination> {
  if (examination.lists === undefined) return examination;
  const from = { server: { ...args, record: undefined, noInput: true }, folder: io.cwd };
  const file = shownPath(lock, io);
  const findings = new Findings();
  let said = '';
  let changes: readonly Change[] | undefined;
  try {
    if (existsSync(lock)) {
      const before = parseLock(readFileSync(lock, 'utf8'), file);
      const name = textAt(before.server, 'name');
      if (!isNamed && name !== undefined && examination.name?.startsWith(`${name} `) === false) {
        said = `${file} is the lock of another server, ${name}`;
      } else {
        ({ changes } = await compareLock({ file: lock, from }, io));
        said = changes.length === 0 ? `not since ${file}` : `${sayCounts(changes)}, since ${file}`;
        for (const change of changes) {
          findings.add({
            section: 'changed',
            severity: fails([change], 'text') ? 'error' : 'note',
            code: change.rule,
            message: changeAsLine(change),
            evidence: [`${file}${change.pointer}`],
          });
        }
      }
    }
    if (isWritten) {
      const after = await promisesOf(from, io, {});
      await writeLock(lock, after);
      said = `${said === '' ? '' : `${said}; `}wrote ${file}: ${sayPromises(after)}`;
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { message } = error;
    findings.add({ section: 'changed', severity: 'unclear', code: 'no-lock', message });
  }
  const all = [...examination.findings, ...findings.sorted];
  return {
    ...examination,
    changes,
    ...(said !== '' && { summaries: { ...examination.summaries, changed: said } }),
    findings: all,
  };
}
