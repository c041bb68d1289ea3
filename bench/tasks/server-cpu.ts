import { readdirSync, readFileSync } from 'node:fs';

import type { PostgresDatabase } from '../../test/support/postgres.js';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Milliseconds of processor time that the server has used. NaN for one on another machine or system. */
export async function serverCpu(database: PostgresDatabase): Promise<number> {
  const [row] = await database.sql("SELECT pg_read_file('postmaster.pid') AS file");
  try {
    const [server = ''] = String(row?.['file']).split('\n');
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(tryStatOf)
      .filter((stat) => stat?.parent === server);
    const own = statOf(server);
    return children.reduce((sum, stat) => sum + (stat?.own ?? 0), own.own + own.ended) * TICK_MS;
  } catch {
    return NaN;
  }
}

interface Stat {
  readonly parent: string;
  /** Ticks of the process, and of its children that have ended. */
  readonly own: number;
  readonly ended: number;
}

function statOf(pid: string): Stat {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent = '', , , , , , , , , , user, system, endedUser, endedSystem] = fields;
  return {
    parent,
    own: Number(user) + Number(system),
    ended: Number(endedUser) + Number(endedSystem),
  };
}

function tryStatOf(pid: string): Stat | undefined {
  try {
    return statOf(pid);
  } catch {
    // The process has ended since it was listed.
    return undefined;
  }
}
