import { CallError } from '../../../runtime/client/index.js';
import type {
  ClientMethod,
  DeclaredCapabilities,
  JsonObject,
  TaskClient,
} from '../../../runtime/client/index.js';
import { PROTOCOL_VERSIONS, type RevisionVersion } from '../../../runtime/protocol.js';
import { quote } from '../../../json-schema/text.js';
import type { Lock, Sent } from '../../../contracts/lock/index.js';
import { ConnectionError } from '../connection-error.js';
import { LISTS } from '../../../runtime/rules/messages.js';
import { listOr } from '../lists.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { CommandContext } from '../session.js';
import { UsageError } from '../usage.js';
import { UNSAID, viewpointOf } from '../viewpoint.js';

/** How a server is asked for its promises. */
export interface Asking {
  /** Where the server speaks it. Default: the newest that both sides know. */
  readonly revision?: string | undefined;
  /** What the client declares, as `--capabilities` has it. Default: that of `before`, else all. */
  readonly capabilities?: string | undefined;
  /** A lock of the server that the new one is compared with, or replaces. */
  readonly before?: Lock | undefined;
}

/** What the server promises, as a `Lock`. */
export async function readLock(session: CommandContext, asking: Asking): Promise<CommandResult> {
  return done('', await lockFrom(session, asking));
}

async function lockFrom(
  session: CommandContext,
  { revision, capabilities, before }: Asking,
): Promise<Lock> {
  const viewpoint =
    capabilities === undefined && before !== undefined
      ? ((before.clientCapabilities as DeclaredCapabilities | undefined) ?? UNSAID)
      : viewpointOf(capabilities);
  const target = { ...(await session.target()), viewpoint };
  const wanted = revision === undefined ? undefined : known(revision);
  const read = async (client: TaskClient): Promise<Lock> => ({
    ...(await lockOf(client, (notice) => session.io.err.write(`${notice}\n`))),
    clientCapabilities: viewpoint as Sent,
  });
  const lock = await session.with(target, read);
  if (wanted === undefined || lock.revision === wanted) return lock;
  try {
    return await session.with({ ...target, revision: wanted }, read);
  } catch (error) {
    // The server has just answered, so it does not speak this revision. The comparison reports that.
    if (error instanceof ConnectionError || error instanceof CallError) return lock;
    throw error;
  }
}

function known(revision: string): RevisionVersion {
  const found = PROTOCOL_VERSIONS.find((version) => version === revision);
  if (found !== undefined) return found;
  throw new UsageError(
    `Unknown revision ${quote(revision)}.`,
    `Known: ${PROTOCOL_VERSIONS.join(', ')}.`,
  );
}

async function lockOf(client: TaskClient, notify: (notice: string) => void): Promise<Lock> {
  const { info, capabilities, instructions } = client.server;
  const lists: [string, readonly JsonObject[]][] = [];
  for (const [member, { feature, method, key }] of Object.entries(LISTS)) {
    const has = Object.hasOwn(capabilities, feature);
    const entries = has ? await listed(client, method, member) : [];
    // Callers cannot choose between two entries of one name either.
    const unique = new Map(entries.map((entry) => [String(entry[key]), entry]));
    const lost = entries.length - unique.size;
    if (lost > 0) notify(`Left out ${String(lost)} ${member} with the ${key} of a later one.`);
    lists.push([member, [...unique.values()]]);
  }
  // All of it came from the server, as JSON.
  return {
    lockVersion: 1,
    revision: String(client.revision),
    ...(info && { server: info }),
    ...(instructions !== undefined && { instructions }),
    capabilities,
    ...Object.fromEntries(lists),
  } as unknown as Lock;
}

const MOST_PAGES = 1_000;
const MOST_ENTRIES = 10_000;

/** All pages of a list, as the server sent the entries. */
async function listed(
  client: TaskClient,
  method: ClientMethod,
  member: string,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await listOr<JsonObject>({ [member]: [] }, () => client.request(method, params));
    entries.push(...(page[member] as JsonObject[]));
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return entries;
    if (seen.has(nextCursor) || seen.size >= MOST_PAGES || entries.length > MOST_ENTRIES) {
      const message = `The answer to ${method} does not end: a page repeats, or there are more than ${String(MOST_PAGES)} pages or ${String(MOST_ENTRIES)} entries`;
      throw new CallError({ reason: 'invalid_answer' }, message);
    }
    seen.add((cursor = nextCursor));
  }
}
