import { randomBytes } from 'node:crypto';

import type { TaskChange } from '../../tasks/index.js';
import type { Database } from './open.js';
import type { Statements } from './statements.js';

/**
 * Sends changes to the other nodes, those of one turn of the event loop together, and reports them here.
 *
 * A notification goes out after the change is committed and in a transaction of its own: PostgreSQL
 * commits transactions that notify one by one, for all databases of the server. If the process ends in
 * between, other nodes read the change at their next poll.
 */
export interface Notifier {
  changed(change: TaskChange): void;
  /** Resolves when nothing is left to send. */
  idle(): Promise<void>;
}

/** What a notification says: by whom it was sent, and what changed, or that the log has to be read. */
export interface News {
  readonly node: string;
  /** Absent when it would not fit. */
  readonly changes?: readonly TaskChange[];
}

/** PostgreSQL refuses payloads of 8,000 bytes. */
const LONGEST_PAYLOAD = 7_900;

export interface NotifierDependencies {
  readonly node: string;
  readonly channel: string;
  readonly database: Database;
  readonly sql: Statements;
  /** Changes made here, in the turn after they were made. */
  readonly onOwn: (changes: readonly TaskChange[]) => void;
  readonly onFault: (error: unknown) => void;
}

export function newNodeName(): string {
  return randomBytes(9).toString('base64url');
}

export function createNotifier(dependencies: NotifierDependencies): Notifier {
  const { node, channel, database, sql, onOwn, onFault } = dependencies;
  let pending: TaskChange[] = [];
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    await new Promise(setImmediate);
    while (pending.length > 0) {
      const changes = pending;
      pending = [];
      onOwn(changes);
      try {
        await database.query(sql.notify, [channel, payloadsOf(node, changes)]);
      } catch (error) {
        // The other nodes read these changes at their next poll.
        onFault(error);
      }
    }
    sending = undefined;
  }

  return {
    changed(change) {
      pending.push(change);
      sending ??= send();
    },
    idle: () => sending ?? Promise.resolve(),
  };
}

type Entry = readonly [owner: string, dialect: string, id: string, version: number | null];

/** Payloads that together say all of it. */
function payloadsOf(node: string, changes: readonly TaskChange[]): string[] {
  const start = `${JSON.stringify(node)},[`;
  const payloads: string[] = [];
  let text = '';
  for (const change of changes) {
    const { owner, dialect, id } = change.key;
    const entry: Entry = [owner, dialect, id, change.kind === 'changed' ? change.version : null];
    const json = asciiJson(entry);
    if (start.length + json.length + 4 > LONGEST_PAYLOAD) return [`[${JSON.stringify(node)}]`];
    if (start.length + text.length + json.length + 4 > LONGEST_PAYLOAD) {
      payloads.push(`[${start}${text}]]`);
      text = '';
    }
    text += text === '' ? json : `,${json}`;
  }
  if (text !== '') payloads.push(`[${start}${text}]]`);
  return payloads;
}

/** A database may have any encoding, and all of them have ASCII. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Undefined for what no node of this version sent. */
export function newsOf(payload: string | undefined): News | undefined {
  try {
    const [node, entries] = JSON.parse(payload ?? '') as [string, Entry[] | undefined];
    return { node, ...(entries && { changes: entries.map(changeOf) }) };
  } catch {
    return undefined;
  }
}

function changeOf([owner, dialect, id, version]: Entry): TaskChange {
  const key = { owner, dialect: dialect as 'core' | 'ext', id };
  return version === null ? { kind: 'removed', key } : { kind: 'changed', key, version };
}
