// log-store.ts
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import type { TaskStore } from '@mcp-codegen/runtime/tasks';

/** Writes all bytes at a place of a file, and returns when they are on the disk. */
export type Write = (file: number, bytes: Buffer, at: number) => void;

type Change = readonly [name: string, ...args: unknown[]];

/**
 * Keeps tasks in a log: a line for each change, which is on the disk before the change is made in memory.
 * Throws when another process has the folder open, and when the log is damaged.
 */
export async function openLogStore(
  folder: string,
  write: Write = writeThrough,
): Promise<TaskStore> {
  const unlock = await lock(join(folder, 'lock'));
  try {
    const { changes, append, close } = openLog(folder, write);
    const memory = createMemoryStore();
    for (const change of changes) await apply(memory, change);
    const secret = Buffer.from(String(changes[0]?.[1]), 'hex');

    /** Appends what is about to be done. When that fails, it is not done. */
    const logged = async <T>(change: Change): Promise<T> => {
      append(change);
      return (await apply(memory, change)) as T;
    };
    return {
      ...memory,
      secret: () => Promise.resolve(secret),
      insert: (...args) => logged(['insert', ...args]),
      update: (...args) => logged(['update', ...args]),
      expire: (...args) => logged(['expire', ...args]),
      renew: (...args) => logged(['renew', ...args]),
      probe: () => logged(['probe']),
      administration: memory.administration && {
        ...memory.administration,
        remove: (...args) => logged(['remove', ...args]),
      },
      async close() {
        close();
        await unlock();
      },
    } as TaskStore;
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** What a change does is decided by the tasks before it alone, so the log can be played again. */
function apply(memory: TaskStore, [name, ...args]: Change): Promise<unknown> {
  const changes = { ...memory, ...memory.administration } as unknown;
  const found = (changes as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
  return found?.(...args) ?? Promise.resolve();
}

/** A log that was closed has another name and must be whole. One that was not may end in half a line. */
function openLog(folder: string, write: Write) {
  const [path, closed] = [join(folder, 'tasks.log'), join(folder, 'tasks.closed.log')];
  const wasClosed = existsSync(closed);
  if (!wasClosed && !existsSync(path)) {
    const secret = lineOf('', ['secret', randomBytes(32).toString('hex')]);
    writeFileSync(`${path}.new`, secret.text, { flush: true });
    renameSync(`${path}.new`, path);
  }
  const { changes, hash, size } = readLog(wasClosed ? closed : path, wasClosed);
  if (wasClosed) renameSync(closed, path);
  const file = openSync(path, 'r+');
  const log = { hash, size, open: true };

  function append(change: Change): void {
    if (!log.open) throw new Error(`${path} is closed`);
    const line = lineOf(log.hash, change);
    const bytes = Buffer.from(line.text);
    // After a failure the next line takes the place of what was written of this one.
    write(file, bytes, log.size);
    log.size += bytes.length;
    log.hash = line.hash;
  }

  function close(): void {
    if (!log.open) return;
    try {
      append(['closed']);
      renameSync(path, closed);
    } finally {
      log.open = false;
      closeSync(file);
    }
  }

  return { changes, append, close };
}

/** Each line begins with a hash of it and of the line before. */
function lineOf(before: string, change: Change): { readonly text: string; readonly hash: string } {
  const json = JSON.stringify(change);
  const hash = createHash('sha256').update(before).update(json).digest('hex').slice(0, 16);
  return { text: `${hash} ${json}\n`, hash };
}

function readLog(path: string, whole: boolean) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const changes: Change[] = [];
  let [hash, size] = ['', 0];
  for (const [index, line] of lines.entries()) {
    if (line === '' && index === lines.length - 1) break;
    const change = parse(line.slice(17));
    const wanted = change && lineOf(hash, change);
    if (wanted?.text !== `${line}\n`) {
      // A crash leaves at most one line that was not acknowledged, at the end.
      if (!whole && index > 0 && index >= lines.length - 2) break;
      throw new Error(`${path} is damaged in line ${index + 1}. Restore a backup.`);
    }
    changes.push(change as Change);
    hash = wanted.hash;
    size += Buffer.byteLength(wanted.text);
  }
  if (changes.length === 0 || (whole && changes.at(-1)?.[0] !== 'closed')) {
    throw new Error(`${path} is not whole. Restore a backup.`);
  }
  return { changes, hash, size };
}

function parse(json: string): Change | undefined {
  try {
    return JSON.parse(json) as Change;
  } catch {
    return undefined;
  }
}

/** Returns when the bytes are on the disk. */
export function writeThrough(file: number, bytes: Buffer, at: number): void {
  const written = writeSync(file, bytes, 0, bytes.length, at);
  if (written < bytes.length) throw new Error(`Only ${written} of ${bytes.length} bytes fit`);
  fsyncSync(file);
}

/** Listens at a socket, which ends with the process, however that ends. Not for Windows. */
async function lock(path: string): Promise<() => Promise<void>> {
  if (await isAnswered(path)) throw new Error(`${path} is in use by another process`);
  rmSync(path, { force: true });
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  server.unref();
  return () => new Promise((resolve) => void server.close(() => resolve()));
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
