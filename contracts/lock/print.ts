import type { JsonValue } from '../../json-schema/index.js';
import { LISTS } from './model.js';
import type { ListName, Lock, Sent } from './model.js';

/** The text of a lock file. The same promises give the same text, in whatever order the server lists them. */
export function printLock(lock: Lock): string {
  const { lockVersion, revision, clientCapabilities, server, instructions, capabilities } = lock;
  const ordered = {
    lockVersion,
    revision,
    ...(clientCapabilities && { clientCapabilities: sorted(clientCapabilities) }),
    ...(server && { server: sorted(server) }),
    ...(instructions !== undefined && { instructions }),
    capabilities: sorted(capabilities),
    ...Object.fromEntries(
      (Object.keys(LISTS) as ListName[]).map((list) => [
        list,
        printedList(lock[list], LISTS[list]),
      ]),
    ),
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

function printedList(entries: readonly Sent[], key: string): JsonValue[] {
  const keyed = entries.map((entry) => ({ at: keyOf(entry, key), text: sorted(entry) }));
  return keyed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ text }) => text);
}

/** The text under the key that tells the entries of a list apart, or '' where a server sent another value. */
function keyOf(entry: Sent, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}

/** The value with the keys of its objects in the order of their code units. Lists keep their order. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Not an object literal, which would take "__proto__" for the prototype.
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
