import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { report, type Bench, type Row } from './bench.js';
import { writeReport } from './report/index.js';
import { readResults, stateOf, writeResults, type Results } from './report/results.js';

/** `npm run bench`; `--only <name>` measures one subject. Each bench is loaded on demand. */
const BENCHES: Readonly<Record<string, () => Promise<readonly Bench[]>>> = {
  generate: async () => (await import('./generate/index.js')).generateBenches,
  validate: async () => (await import('./validate/index.js')).validateBenches,
  schemas: async () => (await import('./schemas/index.js')).schemaBenches,
  tasks: async () => (await import('./tasks/index.js')).taskBenches,
  server: async () => (await import('./server/index.js')).serverBenches,
  client: async () => (await import('./client/index.js')).clientBenches,
  proxy: async () => [(await import('./proxy/index.js')).proxy],
  pages: async () => [(await import('./pages/index.js')).pages],
};

const USAGE = `usage: npm run bench [-- options]
  --only ${Object.keys(BENCHES).join('|')}   measure one subject, or one bench of it: server/features
  --json <folder>                              save the results as JSON, a file for each subject
  --report [file.html|folder]                  draw the results (default: .cache/bench/report)
  --details                                    print what rows found, such as the files that run
  --from <file.json|folder>                    draw saved results, and measure nothing`;

interface Options {
  readonly only?: string;
  readonly json?: string;
  readonly report?: string;
  readonly from?: string;
  readonly details?: string;
}

/** Values of options that need none. */
const DEFAULTS: Readonly<Record<string, string>> = {
  '--report': '.cache/bench/report',
  '--details': 'yes',
};

function optionsIn(args: readonly string[]): Options {
  const options: Record<string, string> = {};
  const rest = [...args];
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (!/^--(?:only|json|report|from|details)$/.test(name))
      return refuse(`Unknown option "${name}"`);
    const given = rest[0]?.startsWith('--') === false ? rest.shift() : undefined;
    const value = given ?? DEFAULTS[name];
    if (value === undefined) return refuse(`${name} needs a value`);
    options[name.slice(2)] = value;
  }
  const { only } = options;
  if (only !== undefined && !(subjectOf(only) in BENCHES)) {
    return refuse(`Unknown subject "${only}"`);
  }
  if (only?.includes('/') === true && options.json !== undefined) {
    return refuse('--json saves all benches of a subject: leave out --json, or what follows "/"');
  }
  return options;
}

function refuse(why: string): never {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}

/** `server` of `server/features`. */
function subjectOf(only: string): string {
  return only.split('/')[0] ?? only;
}

function detailsOf({ row, details: found = [] }: Row): string {
  return found.length === 0 ? '' : [`\n${row}:`, ...found].join('\n  ');
}

async function measure(wanted: string): Promise<Results> {
  const subject = subjectOf(wanted);
  const state = stateOf(subject);
  const benches = [];
  for (const bench of (await BENCHES[subject]?.()) ?? []) {
    if (wanted !== subject && bench.name !== wanted) continue;
    console.log(`\n${bench.name === subject ? subject : `${subject}: ${bench.name}`}`);
    const rows = await bench.run();
    console.log(report(rows));
    if (details !== undefined) for (const row of rows) console.log(detailsOf(row));
    benches.push({ name: bench.name, rows });
  }
  return { ...state, benches };
}

const { only, json, report: page, from, details } = optionsIn(process.argv.slice(2));
const all: Results[] = from === undefined ? [] : [...readResults(from)];
if (from === undefined) {
  for (const subject of only === undefined ? Object.keys(BENCHES) : [only]) {
    const results = await measure(subject);
    all.push(results);
    if (json === undefined) continue;
    mkdirSync(json, { recursive: true });
    writeResults(json, results);
    console.log(`Saved ${join(json, `${subject}.json`)}`);
  }
}
if (page !== undefined) console.log(`Drew ${writeReport(page, all)}`);
