import { METHODS, type RevisionVersion } from '../../runtime/protocol.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../runtime/peer/wire/revision.js';
import { type ListName, LISTS, type Lock, type Sent } from '../lock/index.js';
import type { Facts } from './facts.js';
import type { Model } from './model.js';

/** What a server offers: what a lock lists, and what a recording lists and uses. */
export interface Offer extends Record<ListName, readonly Sent[]> {
  readonly facts: Facts;
}

/** The methods that list and use the entries. */
const USES: Readonly<Record<ListName, readonly [string, string?]>> = {
  tools: [METHODS.toolsList, METHODS.toolsCall],
  prompts: [METHODS.promptsList, METHODS.promptsGet],
  resources: [METHODS.resourcesList, METHODS.resourcesRead],
  resourceTemplates: [METHODS.resourcesTemplatesList],
};

/** Calls of one tool that are read for a result. */
const MOST_CALLS = 10;
/** What a list of 2026-07-28 has beside its entries. */
const LIST = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const ANY = { type: 'object' };

/** A recorded tool that a revision cannot list is listed by its name alone. */
export async function offerOf(
  facts: Facts,
  { model, lock }: { readonly model: Model | undefined; readonly lock: Lock | undefined },
  versions: readonly RevisionVersion[],
): Promise<Offer> {
  const all = (list: ListName): Sent[] => {
    const key = LISTS[list];
    const entries = new Map<unknown, Sent>(lock?.[list].map((each) => [each[key], each]));
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
  const [prompts, resources] = [all('prompts'), all('resources')];
  return { facts, tools, prompts, resources, resourceTemplates: all('resourceTemplates') };
}

/** What was listed. The last entry of a name is the one that counts. */
function* listedIn(model: Model | undefined, list: ListName): Generator<Sent, void> {
  for (const exchange of model?.samples.get(USES[list][0]) ?? []) {
    const entries: unknown = member(model?.answerOf(exchange)?.message['result'], list);
    for (const each of Array.isArray(entries) ? (entries as unknown[]) : []) {
      if (isObject(each) && isKey(each[LISTS[list]])) yield each as Sent;
    }
  }
}

/** What was used with success. */
function* usedIn(model: Model | undefined, list: ListName): Generator<Sent, void> {
  const [, using] = USES[list];
  const key = LISTS[list];
  for (const [name, exchanges] of model?.samples ?? []) {
    if (name !== using && !name.startsWith(`${String(using)} `)) continue;
    // Those of a tool or prompt name the same one.
    for (const exchange of key === 'uri' ? exchanges : exchanges.slice(0, MOST_CALLS)) {
      const value = model?.askedIn(exchange).params[key];
      const isUsed = isObject(model?.answerOf(exchange)?.message['result']);
      if (isUsed && isKey(value)) {
        yield { name: value, ...(list === 'tools' ? { inputSchema: ANY } : { [key]: value }) };
      }
    }
  }
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
