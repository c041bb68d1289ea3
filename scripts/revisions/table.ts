import { readFileSync } from 'node:fs';

/** How requests say what `initialize` says in a session, and how servers and clients speak about tasks. */
export const DIALECTS = ['core', 'ext'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** What `schema/revisions.json` says about a revision. `schema/README.md` describes each member. */
export interface RevisionEntry {
  readonly dialect?: Dialect;
  readonly tasks?: true;
  readonly batches?: true;
  readonly strictCapabilities?: true;
  readonly extends?: string;
}

/** The content of `schema/revisions.json`. */
export interface RevisionTable {
  readonly latest: string;
  readonly default: string;
  readonly dialects: Readonly<Record<Dialect, string>>;
  /** Oldest first, extensions last. */
  readonly revisions: Readonly<Record<string, RevisionEntry>>;
}

/** The only place that names revisions, from the repository's root. */
export const TABLE_FILE = 'schema/revisions.json';

/** @throws {Error} when the table contradicts itself */
export function readTable(root: string): RevisionTable {
  const table = JSON.parse(readFileSync(`${root}${TABLE_FILE}`, 'utf8')) as RevisionTable;
  const problem = problemIn(table);
  if (problem !== undefined) throw new Error(`${TABLE_FILE}: ${problem}.`);
  return table;
}

/** The revisions that servers and clients speak, oldest first. */
export function spokenIn({ revisions }: RevisionTable): [string, RevisionEntry][] {
  return Object.entries(revisions).filter(([, { dialect }]) => dialect !== undefined);
}

/** The revisions that an extension may be used with: that which it extends, and later ones of the same dialect. */
export function extendedBy(table: RevisionTable, { extends: base }: RevisionEntry): string[] {
  const dialect = table.revisions[base ?? '']?.dialect;
  const spoken = spokenIn(table).filter((each) => each[1].dialect === dialect);
  const names = spoken.map(([name]) => name);
  return names.slice(names.indexOf(base ?? ''));
}

function problemIn({ revisions, ...named }: RevisionTable): string | undefined {
  const { dialects, latest, default: preset } = named;
  const missing = [latest, preset, ...Object.values(dialects)].find((name) => !revisions[name]);
  if (missing !== undefined) return `"${missing}" is not one of the revisions`;
  const astray = DIALECTS.find((dialect) => revisions[dialects[dialect]]?.dialect !== dialect);
  if (astray !== undefined) return `${dialects[astray]} is not of the dialect ${astray}`;
  const lost = Object.entries(revisions).find(([, { extends: base }]) => base && !revisions[base]);
  return lost && `${lost[0]} extends "${String(lost[1].extends)}", which is not one of them`;
}
