import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isLocation, shownArgs, shownServer } from './location.js';
import type { ServerLocation } from './location.js';
import { line } from './text.js';
import { UsageError } from './usage.js';
import type { Session as ServerSession } from '../../runtime/client/index.js';
import { writePrivateFile } from '../../runtime/client/node/index.js';

/** A task that was running when its server last answered. */
export interface KeptTask {
  /** Short, for users. */
  readonly id: string;
  readonly reference: string;
  readonly tool: string;
  readonly server: ServerLocation;
  /** The folder in which its command starts, and from which its name is looked up. */
  readonly cwd?: string | undefined;
  /** The exact name of the server, if it has one: `saved:prod`. */
  readonly saved?: string | undefined;
  /** RFC 3339. */
  readonly startedAt: string;
  /** Where the server has sessions: it may show the task in its session only. */
  readonly session?: ServerSession | undefined;
  /** Of the token that the task was started with. */
  readonly tokenMark?: string | undefined;
}

/** A task that a command follows. Without an id it could not be kept. */
export type FollowedTask = Omit<KeptTask, 'id'> & { readonly id?: string };

/** A task as it is shown: without the session and the mark of the token. */
export function shownTask({ id, reference, tool, server, startedAt }: FollowedTask): object {
  const shown =
    'url' in server
      ? { url: shownServer(server) }
      : { command: server.command, args: shownArgs(server.args) };
  return { ...(id !== undefined && { id }), reference, tool, server: shown, startedAt };
}

/** The tasks of this user, a file each: clients that run at once do not disturb each other. */
export interface References {
  /** On disk when it resolves: from then on the task survives a crash of this program. */
  keep(task: Omit<KeptTask, 'id'>): Promise<KeptTask>;
  forget(id: string): Promise<void>;
  /** Oldest first. Files that make no sense are passed over. */
  list(): Promise<KeptTask[]>;
  /** By its id or the start of it. @throws {UsageError} when none or several are meant. */
  find(id: string): Promise<KeptTask>;
}

export function openReferences(folder: string): References {
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  return {
    async keep(task) {
      const id = idOf(task);
      const kept: KeptTask = { id, ...task };
      await writePrivateFile(fileOf(id), kept);
      return kept;
    },
    async forget(id) {
      await rm(fileOf(id), { force: true });
    },
    list: () => readAll(folder),
    async find(id) {
      const found = (await readAll(folder)).filter((each) => each.id.startsWith(id));
      const [only, ...others] = found;
      if (!only || id === '') {
        const shown = JSON.stringify(line(id, 80));
        throw new UsageError(`No task ${shown} is kept.`, 'To list them: mcp-codegen tasks');
      }
      if (others.length > 0)
        throw new UsageError(`Several tasks begin with ${JSON.stringify(id)}.`);
      return only;
    },
  };
}

/** Servers may number their tasks, so the reference alone does not name one. */
function idOf({ reference, server, cwd }: Omit<KeptTask, 'id'>): string {
  const place = 'url' in server ? [server.url] : [server.command, ...server.args, cwd ?? ''];
  const text = JSON.stringify([reference, ...place]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

async function readAll(folder: string): Promise<KeptTask[]> {
  const names = await readdir(folder).catch(() => []);
  const ids = names.flatMap((name) => /^([0-9a-f]{12})\.json$/.exec(name)?.[1] ?? []);
  const read = await Promise.all(ids.map((id) => readOne(folder, id)));
  return read
    .filter((task) => task !== undefined)
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

async function readOne(folder: string, id: string): Promise<KeptTask | undefined> {
  try {
    const task = JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')) as unknown;
    // Forgetting a task deletes the file of its id, and never another one.
    return isKept(task) && task.id === id ? task : undefined;
  } catch {
    return undefined;
  }
}

function isKept(task: unknown): task is KeptTask {
  if (typeof task !== 'object' || task === null) return false;
  const { id, reference, tool, startedAt, server, cwd, saved, session, tokenMark } = task as Record<
    string,
    unknown
  >;
  return (
    [id, reference, tool, startedAt].every((each) => typeof each === 'string') &&
    isLocation(server) &&
    (cwd === undefined || (typeof cwd === 'string' && isAbsolute(cwd))) &&
    (saved === undefined || typeof saved === 'string') &&
    (session === undefined || isSession(session)) &&
    (tokenMark === undefined || typeof tokenMark === 'string')
  );
}

function isSession(session: unknown): session is ServerSession {
  if (typeof session !== 'object' || session === null) return false;
  const { id, initialized } = session as Record<string, unknown>;
  return typeof id === 'string' && typeof initialized === 'object' && initialized !== null;
}
