import type { StoreAdministration } from './store.js';
import type { TaskKey, TaskRecord } from './record.js';

/**
 * Stores notify of the changes of other processes. An administration of a store that an engine of this process uses
 * reports its own changes here, so that the engine stops runs and answers waiters.
 */
export type AdministeredChange =
  | { readonly kind: 'changed'; readonly task: TaskRecord }
  | { readonly kind: 'removed'; readonly key: TaskKey };

type Listener = (change: AdministeredChange) => void;

/** By the member of the store that its administration uses. */
const listeners = new WeakMap<StoreAdministration, Set<Listener>>();

/** Returns what ends it. */
export function onAdministered(
  administration: StoreAdministration | undefined,
  listener: Listener,
): () => void {
  if (administration === undefined) return () => undefined;
  const all = listeners.get(administration) ?? new Set();
  listeners.set(administration, all);
  all.add(listener);
  return () => void all.delete(listener);
}

export function administered(
  administration: StoreAdministration,
  change: AdministeredChange,
): void {
  for (const listener of listeners.get(administration) ?? []) listener(change);
}
