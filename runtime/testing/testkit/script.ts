import type { InsertCaps, TaskRecord, TaskStore, TaskSummary } from '../../tasks/index.js';

/** An operation of a store, as data that another process can read. */
export type Step =
  | { readonly kind: 'insert'; readonly record: TaskRecord; readonly caps: InsertCaps }
  | { readonly kind: 'update'; readonly record: TaskRecord }
  | { readonly kind: 'expire'; readonly now: number; readonly limit: number }
  | { readonly kind: 'renew'; readonly worker: string; readonly until: number }
  | { readonly kind: 'remove'; readonly tasks: readonly TaskSummary[] }
  | { readonly kind: 'secret' };

/** What a process does with the store that it has opened, until it kills itself. */
export interface Script {
  /** One after the other. */
  readonly before: readonly Step[];
  /** All at once. Each acknowledgement is written down. */
  readonly together: readonly Step[];
  /** Acknowledgements of `together` after which the process is killed, in the same turn. */
  readonly killAfter: number;
  /** Waits, when everything before is done, until the kit says that it goes on. */
  readonly waits?: boolean;
}

export function perform(store: TaskStore, step: Step): Promise<unknown> {
  switch (step.kind) {
    case 'insert':
      return store.insert(step.record, step.caps);
    case 'update':
      return store.update(step.record);
    case 'expire':
      return store.expire(step.now, step.limit);
    case 'renew':
      return store.renew(step.worker, step.until);
    case 'remove':
      return store.administration?.remove(step.tasks) ?? Promise.resolve(0);
    case 'secret':
      return store.secret().then((secret) => Buffer.from(secret).toString('hex'));
  }
}
