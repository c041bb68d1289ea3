import { choose, SERVER } from '../../generator/scaffold/index.js';
import type { Choices } from '../../generator/scaffold/index.js';

/** One set of options of `new server`. */
export interface Combination {
  /** Also the name of its folder: `http-sqlite-bearer-core`. */
  readonly name: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly choices: Choices;
  /** How many files the project may have, without the tarballs in `vendor/`. */
  readonly most: number;
}

/** How many lines the files of a full project may have. */
export const MOST_LINES: Readonly<Record<string, number>> = {
  'src/server.ts': 60,
  'src/main.ts': 30,
  'test/server.test.ts': 120,
};
/** The same for all of its sources but the example tools. */
export const MOST_SOURCE_LINES = 150;
/** The same for the one source file of a minimal project. */
export const MOST_MINIMAL_LINES = 40;

const DIALECTS = ['core', 'ext', 'core,ext'];
const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];
const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'];

/** Every subset of the revisions that may be left out; the empty one stands for those that may not. */
const REVISIONS = Array.from({ length: 2 ** OLDER.length }, (_, bits) =>
  ['2025-11-25', ...OLDER.filter((__, index) => bits & (2 ** index))].join(','),
);

const POSTGRES = [
  { transport: 'stdio', auth: 'none', store: 'postgres', dialects: 'core' },
  { transport: 'http', auth: 'none', store: 'postgres', dialects: 'ext' },
  { transport: 'http', auth: 'bearer', store: 'postgres', dialects: 'core,ext' },
];

const SIGNED = [{ transport: 'http', auth: 'jwt', store: 'sqlite', dialects: 'core,ext' }];

/**
 * Every combination of what shapes a project's own code; with PostgreSQL, each pair of two values. Revisions decide only which protocol modules
 * come along, and package managers the words of a README and a Dockerfile: they are dealt out among
 * the combinations, each value several times.
 */
export const COMBINATIONS: readonly Combination[] = combinationsOf('full');

/** The same in one source file with one tool. */
export const MINIMAL: readonly Combination[] = combinationsOf('minimal');

/** Each value of each option once: those whose own tests run with each change. */
export const TESTED: readonly Combination[] = [
  'stdio-memory-none-core',
  'http-sqlite-bearer-ext',
  'http-postgres-bearer-core-ext',
  'http-sqlite-jwt-core-ext',
].map((name) => {
  const found = COMBINATIONS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no combination ${name}`);
  return found;
});

function combinationsOf(minimal: 'full' | 'minimal'): Combination[] {
  return ['stdio none', 'http none', 'http bearer']
    .map((words) => words.split(' '))
    .flatMap(([transport = '', auth = '']) =>
      ['memory', 'sqlite'].flatMap((store) =>
        DIALECTS.map((dialects) => ({ transport, auth, store, dialects })),
      ),
    )
    .concat(POSTGRES, SIGNED)
    .map((shape, index) => {
      const flags = {
        ...shape,
        minimal,
        revisions: REVISIONS[index % REVISIONS.length] ?? '',
        pm: MANAGERS[index % MANAGERS.length] ?? '',
      };
      const { transport, store, auth, dialects } = shape;
      const words = [transport, store, auth, dialects.replace(',', '-')];
      const name = [...words, ...(minimal === 'full' ? [] : [minimal])].join('-');
      return { name, flags, choices: choose(SERVER, flags), most: mostFiles(flags) };
    });
}

/** A server over HTTP with SQLite and npm has the files that every server has. Each choice beside adds its own. */
function mostFiles({ minimal, transport, store, auth, pm }: Combination['flags']): number {
  // Settings that its package manager reads from a file.
  const settings = pm === 'yarn' || (pm === 'pnpm' && minimal === 'full') ? 1 : 0;
  if (minimal === 'minimal') return 5 + settings;
  const asks = transport === 'stdio' || auth !== 'none' ? 1 : 0;
  const example = auth !== 'none' || store === 'postgres' ? 1 : 0;
  const cluster = transport === 'http' && store === 'postgres' ? 3 : 0;
  return 21 + settings + asks + example + cluster;
}

/** Few of the combinations, in which each pair of values occurs that occurs in all of them. */
export function pairwise(combinations: readonly Combination[]): Combination[] {
  const missing = new Set(combinations.flatMap(pairsOf));
  const chosen: Combination[] = [];
  while (missing.size > 0) {
    const gain = (each: Combination): number =>
      pairsOf(each).filter((it) => missing.has(it)).length;
    const best = combinations.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    pairsOf(best).forEach((pair) => missing.delete(pair));
    chosen.push(best);
  }
  return chosen;
}

function pairsOf({ flags: { transport, auth, store, dialects } }: Combination): string[] {
  const values = [`over ${transport} ${auth}`, `in ${store}`, `as ${dialects}`];
  return values.flatMap((a, index) => values.slice(index + 1).map((b) => `${a}, ${b}`));
}
