import { METHODS } from '../../protocol.js';
import { LISTS as ALL_LISTS } from '../../rules/messages.js';
import type { Owned, ServerExchange } from '../guest.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Conversation } from './conversation.js';

/** A list of a server, by what its entries are told apart. */
export interface List {
  readonly method: string;
  /** The capability that declares it. */
  readonly feature: string;
  /** The member of the result. */
  readonly member: string;
  readonly key: string;
  readonly owned: (owns: Owned, key: unknown) => boolean;
  /** For messages. */
  readonly noun: string;
}

const OWNED: Readonly<Record<keyof typeof ALL_LISTS, List['owned']>> = {
  tools: (owns, name) => owns.tool(name),
  prompts: (owns, name) => owns.prompt(name),
  resources: (owns, uri) => owns.resource(uri),
  resourceTemplates: (owns, template) => owns.template(template),
};

export const LISTS = (Object.keys(OWNED) as (keyof typeof OWNED)[]).map((member): List => ({
  ...ALL_LISTS[member],
  member,
  owned: OWNED[member],
}));

/** Pages and entries of one list, for a guest that never comes to an end. */
const MOST_PAGES = 100;
const MOST_ENTRIES = 10_000;

/** All pages of a guest's list. */
export async function entriesOf(
  conversation: Conversation,
  list: List,
  exchange?: ServerExchange,
): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES && entries.length < MOST_ENTRIES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = listed(list, await conversation.soon(list.method, params, exchange));
    entries.push(...(result[list.member] as JsonObject[]));
    cursor = result['nextCursor'];
    if (cursor === undefined) return entries;
  }
  const most = `${MOST_PAGES} pages or ${MOST_ENTRIES} entries`;
  throw new Error(`The guest's list of ${list.noun}s has more than ${most}`);
}

/** A page of the guest, as this server has it: the guest's tools run as calls only. */
export function listed({ method, member }: List, result: JsonObject): JsonObject {
  if (method !== METHODS.toolsList) return result;
  const tools = result[member] as JsonObject[];
  return { ...result, [member]: tools.map(({ execution: _, ...tool }) => tool) };
}

/** @throws {TypeError} when a name or URI is the server's own and the guest's. */
export function assertApart(list: List, entries: readonly JsonObject[], owns: Owned): void {
  const both = entries.find((entry) => list.owned(owns, entry[list.key]));
  if (both === undefined) return;
  const name = JSON.stringify(both[list.key]);
  throw new TypeError(
    `Two servers have the ${list.noun} ${name}: \`createTaskServer\` and its \`guest\`. Remove one of them`,
  );
}
