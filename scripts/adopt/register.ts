import type { Dialect, RevisionEntry, RevisionTable } from '../revisions/table.js';
import { definitionsOf, methodsOf } from './read-schema.js';

/** What the schema of a revision, and its former entry, say about how its messages are exchanged. */
export function entryOf(
  schema: unknown,
  base: string | undefined,
  former: RevisionEntry | undefined,
): RevisionEntry {
  if (base !== undefined) return { extends: base };
  const methods = methodsOf(schema);
  const dialect = dialectOf(methods);
  return {
    ...(dialect && { dialect }),
    ...('JSONRPCBatchRequest' in definitionsOf(schema) && { batches: true as const }),
    ...(methods.has('tasks/get') && { tasks: true as const }),
    ...((former === undefined || former.strictCapabilities) && {
      strictCapabilities: true as const,
    }),
  };
}

function dialectOf(methods: ReadonlyMap<string, string>): Dialect | undefined {
  if (methods.has('initialize')) return 'core';
  return methods.has('server/discover') ? 'ext' : undefined;
}

/** The table with the revision at its place: by its name, before the extensions. */
export function registered(
  table: RevisionTable,
  revision: string,
  entry: RevisionEntry,
): RevisionTable {
  const others = Object.entries(table.revisions).filter(([name]) => name !== revision);
  const all: [string, RevisionEntry][] = [...others, [revision, entry]];
  const cores = all.filter((each) => each[1].extends === undefined);
  const extensions = all.filter((each) => each[1].extends !== undefined);
  const sorted = [cores, extensions].flatMap((each) => each.sort(([a], [b]) => (a < b ? -1 : 1)));
  const latest = cores.map(([name]) => name).at(-1) ?? table.latest;
  return { ...table, latest, revisions: Object.fromEntries(sorted) };
}

/**
 * The schema that a new one is compared with: its former statement, when it was another one, else that of the extension
 * that it is a draft of, else the revision that it extends or that is before it. An adoption that is repeated has
 * registered the revision already: its statement is no former one.
 */
export function previousOf(
  { revisions }: RevisionTable,
  revision: string,
  base: string | undefined,
  draft: string | undefined,
  isRepeated: boolean,
): string | undefined {
  if (revisions[revision] && !isRepeated) return revision;
  if (base !== undefined) {
    const known = draft === revision ? undefined : revisions[draft ?? '']?.extends;
    return known === undefined ? base : draft;
  }
  const cores = Object.keys(revisions).filter((name) => revisions[name]?.extends === undefined);
  return cores.filter((name) => name < revision).at(-1);
}
