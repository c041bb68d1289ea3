import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { percentile, type Row } from '../bench.js';
import type { Bar } from '../figure.js';

/** What one run measured of one subject, as it is saved. */
export interface Results {
  readonly schemaVersion: 1;
  /** The folder of the bench, such as `server`. */
  readonly subject: string;
  /** Of mcp-codegen. */
  readonly version: string;
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly changed: boolean;
  /** When the run began, in UTC. */
  readonly date: string;
  readonly machine: Machine;
  /** The versions of the packages that were measured beside ours. */
  readonly peers: Readonly<Record<string, string>>;
  /** A hash of the code that measured. */
  readonly bench: string;
  readonly benches: readonly { readonly name: string; readonly rows: readonly Row[] }[];
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
  readonly system: string;
  /** Processes that wanted a core in the minute before the run. On a quiet machine it is below 1. */
  readonly load: number;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The measured packages of others, as in package-lock.json. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  server: ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'fastmcp', 'tmcp'],
  validate: [
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/core',
    'ajv',
    'ata-validator',
    'typebox',
    'zod',
  ],
};

/** What a run on this checkout and machine says of itself. */
export function stateOf(subject: string): Omit<Results, 'benches'> {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return {
    schemaVersion: 1,
    subject,
    ...sourcesOf(subject),
    commit: git('rev-parse', 'HEAD'),
    // Figures and pages do not change what is measured.
    changed: git('status', '--porcelain', '--', '.', ':!docs', ':!*.md') !== '',
    date: new Date().toISOString().slice(0, 16) + 'Z',
    machine: {
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      node: process.version.slice(1),
      system: `${type()} ${release().split('-')[0] ?? ''}`,
      load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    },
  };
}

/** What results are compared with: these have to be the same in the checkout. */
export function sourcesOf(subject: string): Pick<Results, 'version' | 'peers' | 'bench'> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const peers = (PEERS[subject] ?? []).map((name): [string, string] => [
    name,
    lock.packages[`node_modules/${name}`]?.version ?? 'none',
  ]);
  return { version: lock.version, peers: Object.fromEntries(peers), bench: hashOf(subject) };
}

/** The code of a bench without its comments, its types and the folders of imports, which do not change what is measured. */
function hashOf(subject: string): string {
  const folder = join(root, 'bench', subject);
  const inside = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
    : [];
  const hash = createHash('sha256');
  for (const path of inside.sort()) {
    if (!/\.[jt]s$/.test(path)) continue;
    const { code } = transformSync(readFileSync(path, 'utf8'), {
      loader: 'ts',
      minifyWhitespace: true,
      legalComments: 'none',
    });
    hash.update(code.replaceAll(/"\.\.?\/(?:[^"/]+\/)*([^"/]+)"/g, '"$1"'));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Why results no longer describe this checkout; empty when they do. */
export function staleness(results: Results, now = sourcesOf(results.subject)): readonly string[] {
  const peers = Object.entries(now.peers)
    .filter(([name, version]) => results.peers[name] !== version)
    .map(([name, version]) => `${name} is ${version}, not ${results.peers[name] ?? 'measured'}`);
  return [
    ...(results.version === now.version ? [] : [`mcp-codegen is ${now.version}`]),
    ...(results.bench === now.bench ? [] : [`bench/${results.subject} measures something else`]),
    ...(results.changed ? ['they are of a checkout with changes that were not committed'] : []),
    ...peers,
  ];
}

/** More samples than this are saved as percentiles, which are enough to draw. */
const KEPT = 101;

/** The results as JSON: one line a row, and six significant digits a sample. */
export function jsonOf(results: Results): string {
  const short = ({ details: _, ...row }: Row): Row =>
    row.figure === undefined
      ? row
      : { ...row, figure: { ...row.figure, bars: row.figure.bars.map(thinned) } };
  const { benches, ...state } = results;
  const lines = benches.map(
    ({ name, rows }) =>
      `    {"name": ${JSON.stringify(name)}, "rows": [\n${rows
        .map((row) => `      ${JSON.stringify(short(row))}`)
        .join(',\n')}\n    ]}`,
  );
  const head = JSON.stringify(state, null, 2).replace(/\n\}$/, '');
  return `${head},\n  "benches": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function thinned({ name, samples, count = samples.length }: Bar): Bar {
  const kept =
    samples.length <= KEPT
      ? samples
      : Array.from({ length: KEPT }, (_, index) => percentile(samples, index / (KEPT - 1)));
  return { name, count, samples: kept.map((sample) => Number(sample.toPrecision(6))) };
}

export function writeResults(folder: string, results: Results): void {
  writeFileSync(join(folder, `${results.subject}.json`), jsonOf(results));
}

/** The results in a file, or in all JSON files of a folder. */
export function readResults(path: string): readonly Results[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return files.map((file) => {
    const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
    if (results.schemaVersion !== 1) throw new Error(`${file} has no results of npm run bench`);
    return results;
  });
}

export const machineLine = ({ machine, date, commit, changed }: Results): string =>
  [
    machine.processor,
    `${String(machine.cores)} ${machine.cores === 1 ? 'core' : 'cores'}`,
    `Node ${machine.node}`,
    machine.system,
    `load ${String(machine.load)}`,
    date.replace('T', ' ').replace('Z', ' UTC'),
    `commit ${commit.slice(0, 10)}${changed ? ' with changes' : ''}`,
  ].join(' · ');
