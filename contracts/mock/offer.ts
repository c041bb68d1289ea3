import { METHODS, type RevisionVersion } from '../../runtime/protocol.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../runtime/peer/wire/revision.js';
import type { ListName, Lock, Sent } from '../lock/index.js';
import type { Facts } from './facts.js';
import type { Model } from './model.js';

/** What a server offers: what a lock lists, and what a recording lists and uses. */
export interface Offer extends Record<ListName, readonly Sent[]> {
  readonly facts: Facts;
  /** Those of the tools whose results are drawn; others are only played. */
  readonly locked: ReadonlySet<Sent>;
}

const LISTED = {
  tools: [METHODS.toolsList, 'name', METHODS.toolsCall],
  prompts: [METHODS.promptsList, 'name', METHODS.promptsGet],
  resources: [METHODS.resourcesList, 'uri', METHODS.resourcesRead],
  resourceTemplates: [METHODS.resourcesTemplatesList, 'uriTemplate', undefined],
} as const;

/** Calls of one tool that are read for a result. */
const MOST_CALLS = 10;
/** What a list of 2026-07-28 has beside its entries. */
const LIST = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A recorded tool that a revision cannot list is listed by its name alone. */
export async function offerOf(
  facts: Facts,
  { model, lock }: { readonly model: Model | undefined; readonly lock: Lock | undefined },
  versions: readonly RevisionVersion[],
): Promise<Offer> {
  const all = (list: ListName): Sent[] => {
    const key = LISTED[list][1];
    const entries = new Map<unknown, Sent>(lock?.[list].map((each) => [each[key], each]));
    if (model === undefined) return [...entries.values()];
    for (const each of listedIn(model, list)) entries.set(each[key], each);
    for (const each of usedIn(model, list)) {
      if (!entries.has(each[key])) entries.set(each[key], each);
    }
    return [...entries.values()];
  };
  const { loaded } = await loadRevisions(versions, false, ON_DEMAND);
  const isListable = ({ execution: _, ...tool }: Sent): boolean =>
    [...loaded.values()].every(
      (each) => !each.checkResult(METHODS.toolsList, { ...LIST, tools: [tool] }),
    );
  const locked = new Set(lock?.tools);
  const tools = all('tools').map((each) =>
    locked.has(each) || isListable(each) ? each : { name: each['name'] ?? '', inputSchema: ANY },
  );
  return {
    facts,
    locked,
    tools,
    prompts: all('prompts'),
    resources: all('resources'),
    resourceTemplates: all('resourceTemplates'),
  };
}

/** What was listed. The last entry of a name is the one that counts. */
function* listedIn(model: Model, list: ListName): Generator<Sent, void> {
  const [listing, key] = LISTED[list];
  for (const exchange of model.samples.get(listing) ?? []) {
    const entries: unknown = member(model.answerOf(exchange)?.message['result'], list);
    for (const each of Array.isArray(entries) ? (entries as unknown[]) : []) {
      if (isObject(each) && typeof each[key] === 'string' && each[key] !== '') yield each as Sent;
    }
  }
}

/** What was used with success. */
function* usedIn(model: Model, list: ListName): Generator<Sent, void> {
  const [, key, using] = LISTED[list];
  for (const [name, exchanges] of model.samples) {
    if (name !== using && !name.startsWith(`${String(using)} `)) continue;
    // Those of a tool or prompt name the same one.
    for (const exchange of key === 'uri' ? exchanges : exchanges.slice(0, MOST_CALLS)) {
      const value = model.askedIn(exchange).params[key];
      const isUsed = isObject(model.answerOf(exchange)?.message['result']);
      if (isUsed && typeof value === 'string' && value !== '') {
        yield { name: value, ...(list === 'tools' ? { inputSchema: ANY } : { [key]: value }) };
      }
    }
  }
}

const ANY = { type: 'object' };
