import { readResults, staleness, machineLine, type Results } from '../../bench/report/results.js';
import { isDrawn, panel, type Drawn } from '../../bench/report/panel.js';
import { svgFile } from '../../bench/report/svg.js';
import type { Row } from '../../bench/bench.js';
import { between, table } from './markdown.js';

/** A drawing in docs/peers.md: rows of one subject. */
interface Drawing {
  readonly file: string;
  readonly title: string;
  readonly subject: string;
  /** The bench and the row of each panel. */
  readonly panels: readonly (readonly [bench: string, row: string])[];
}

/** The figures that docs/peers.md shows. */
export const DRAWINGS: readonly Drawing[] = [
  {
    file: 'requests.svg',
    title: 'Requests that a server answers with one core',
    subject: 'server',
    panels: [
      ['server/peers', 'plain call, 2025-11-25'],
      ['server/peers', 'plain call, 2026-07-28'],
      ['server/peers', 'tasks/get, 2025-11-25 (SQLite; SDK v2, bare: a plain call)'],
      ['server/peers', 'life cycle, 2025-11-25 (SQLite; SDK v2, bare: two plain calls)'],
    ],
  },
  {
    file: 'start.svg',
    title: 'Start and memory of a server',
    subject: 'server',
    panels: [
      ['server/start', 'a new server over HTTP, from `node` to listening, CPU'],
      ['server/start', 'memory of a new server (RSS) after 10,000 requests'],
    ],
  },
  {
    file: 'validators.svg',
    title: 'Validators of messages',
    subject: 'validate',
    panels: [
      ['validate/receive 2025-11-25', 'mixed ÷ JSON.parse'],
      ['validate/receive 2026-07-28', 'mixed ÷ JSON.parse'],
      ['validate/footprint 2025-11-25', 'bundle of all messages and errors, min+gz'],
      ['validate/footprint 2025-11-25', 'loading all definitions, CPU'],
    ],
  },
];

export const FOLDER = 'docs/figures';

/** The files that follow from the results, by path. */
export function figureFiles(all: readonly Results[]): readonly (readonly [string, string])[] {
  return DRAWINGS.map((drawing) => {
    const results = resultsOf(drawing, all);
    const panels = rowsOf(drawing, all).map(panel);
    return [`${FOLDER}/${drawing.file}`, svgFile(drawing.title, panels, machineLine(results))];
  });
}

const START = '<!-- drawn from docs/figures/*.json by `npm run docs` -->\n';
const END = '<!-- end of figures -->';

/** A page with the drawings between its marks. */
export function withFigures(page: string, all: readonly Results[]): string {
  const images = DRAWINGS.map((drawing) => {
    const says = rowsOf(drawing, all).map(
      ({ row, ours, peer }) => `${row}: mcp-codegen ${ours}; ${peer}`,
    );
    const alt = `${drawing.title}. ${says.join('. ')}.`.replaceAll(/[[\]`]/g, '');
    return `![${alt}](figures/${drawing.file})\n`;
  });
  return between(page, START, END, images.join('\n'));
}

/** A page with every row of the results. */
export function figuresPage(all: readonly Results[]): string {
  const parts = all.map((results) => {
    const benches = results.benches.map(
      ({ name, rows }) =>
        `### ${name}\n\n${table(['row', 'goal', 'ours', 'peers', 'met'], cells(rows))}`,
    );
    return `## ${results.subject}\n\n${machineLine(results)}\n\n${benches.join('\n')}`;
  });
  return `${HEAD}\n${parts.join('\n')}`;
}

const HEAD = `# What was measured

<!-- written from docs/figures/*.json by \`npm run docs\` -->

Each row is one measurement of \`npm run bench\` beside its peers, in turns within one run. Ratios carry over to other
machines, absolute values do not. The load of a machine lengthens delays, and does not change processor time.
[CONTRIBUTING.md](../CONTRIBUTING.md#the-figures) says when these are measured again.
`;

const cells = (rows: readonly Row[]): readonly (readonly string[])[] =>
  rows.map(({ row, goal, ours, peer, met }) => [
    row,
    goal,
    ours,
    peer,
    met === null ? '–' : met ? 'yes' : 'no',
  ]);

/** Why saved results do not describe this checkout, with the command that measures them again. */
export function staleResults(all: readonly Results[]): readonly string[] {
  return all.flatMap((results) => {
    const why = staleness(results);
    if (why.length === 0) return [];
    const again = `npm run bench -- --only ${results.subject} --json ${FOLDER}`;
    return [`${FOLDER}/${results.subject}.json is stale: ${why.join('; ')}. Run ${again}`];
  });
}

export function readFigures(root: string): readonly Results[] {
  return readResults(root + FOLDER);
}

function resultsOf({ subject }: Drawing, all: readonly Results[]): Results {
  const results = all.find((each) => each.subject === subject);
  if (results === undefined) throw new Error(`${FOLDER}/${subject}.json is missing`);
  return results;
}

function rowsOf(drawing: Drawing, all: readonly Results[]): readonly Drawn[] {
  const { benches } = resultsOf(drawing, all);
  return drawing.panels.map(([bench, name]) => {
    const row = benches
      .find((each) => each.name === bench)
      ?.rows.filter(isDrawn)
      .find((each) => each.row === name);
    if (row === undefined)
      throw new Error(`${FOLDER}/${drawing.subject}.json has no row "${name}"`);
    const [, revision] = bench.split(' ');
    return revision === undefined ? row : { ...row, row: `${name}, ${revision}` };
  });
}
