/** Measured values by name: whole numbers. */
export type Figures = Readonly<Record<string, number>>;

/** A rise that a line of `docs/decisions/budgets.md` explains. */
export interface Raise {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface Judgement {
  /** The budgets to write: the lower value of each figure, and a higher one where a line explains it. */
  readonly budgets: Figures;
  /** What rose without a line. */
  readonly risen: readonly string[];
  /** What is not as in the budgets, and may be written. */
  readonly moved: readonly string[];
}

/** The page with the lines. */
export const REASONS = 'docs/decisions/budgets.md';

/** Versions of zlib compress differently. Other figures are exact. */
const TOLERANCE = 0.01;
const isSize = (name: string): boolean => name.startsWith('kilobytes');
const slack = (name: string, value: number): number =>
  isSize(name) ? Math.ceil(value * TOLERANCE) : 0;
const isNear = (name: string, one: number, other: number): boolean =>
  Math.abs(one - other) <= slack(name, other);

/** The lines `- name: from → to: what users get`. */
export function raisesIn(page: string): readonly Raise[] {
  return [...page.matchAll(/^- (.+): (\d+) → (\d+): (?!what users get$)\S.*$/gm)].map(
    ([, name = '', from = '', to = '']) => ({ name, from: Number(from), to: Number(to) }),
  );
}

/** Compares what was measured with the budgets. A figure that is new is written; one that is gone is removed. */
export function judge(budgets: Figures, measured: Figures, raises: readonly Raise[]): Judgement {
  const risen: string[] = [];
  const moved: string[] = [];
  const next = Object.entries(measured).map(([name, value]): [string, number] => {
    const budget = budgets[name];
    if (budget !== undefined && isNear(name, value, budget)) return [name, budget];
    const known = raises.filter(({ from }) => from === budget);
    if (budget !== undefined && value > budget && !isExplained(name, value, known)) {
      risen.push(lineOf(name, budget, value));
      return [name, budget];
    }
    moved.push(`${name}: ${String(budget ?? 'none')} → ${String(value)}`);
    return [name, value];
  });
  const gone = Object.keys(budgets).filter((name) => !(name in measured));
  return {
    budgets: Object.fromEntries(next.sort(([a], [b]) => (a < b ? -1 : 1))),
    risen,
    moved: [...moved, ...gone.map((name) => `${name}: gone`)],
  };
}

/** Budgets that are higher than in an earlier version of the file, without a line that names the new value. */
export function unexplained(
  earlier: Figures,
  budgets: Figures,
  raises: readonly Raise[],
): readonly string[] {
  return Object.entries(budgets).flatMap(([name, value]) => {
    const before = earlier[name] ?? value;
    return value <= before || isExplained(name, value, raises) ? [] : [lineOf(name, before, value)];
  });
}

/** The line to add to the page, but for its end. */
const lineOf = (name: string, from: number, to: number): string =>
  `${name}: ${String(from)} → ${String(to)}: what users get`;

function isExplained(name: string, value: number, raises: readonly Raise[]): boolean {
  return raises.some((raise) => raise.name === name && isNear(name, value, raise.to));
}
