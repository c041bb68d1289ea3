import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  cli,
  type Drive,
  inspector,
  mcporter,
  ours,
  type Peers,
  sdk,
} from '../test/broken-servers/clients.js';
import type { Verdict } from '../test/broken-servers/judge.js';
import { eachOf, runCase } from '../test/broken-servers/run.js';
import { CASES, ONE_EACH } from '../test/broken-servers/ways.js';
import { installed, newerNode } from './newer-node.js';

/**
 * Runs clients against servers that are wrong, and writes how they fared into `docs/clients.md`. An argument runs one
 * client alone, `--all` with every case, and writes nothing.
 */

const AT_ONCE = 8;
const PAGE = join(import.meta.dirname, '..', 'docs', 'clients.md');
const BEGIN = '<!-- broken servers -->';
const END = '<!-- end of broken servers -->';

type Totals = Record<Verdict | 'cases', number>;

async function totalsOf(name: string, drive: Drive, cases = ONE_EACH): Promise<Totals> {
  const totals: Totals = { cases: 0, said: 0, silent: 0, wrong: 0 };
  await eachOf(cases, AT_ONCE, async (each) => {
    const run = await runCase(each, drive);
    if (run === undefined) return;
    totals.cases += 1;
    totals[run.verdict] += 1;
    if (run.verdict === 'said') return;
    console.log(
      `${name}: ${run.verdict}: ${each.name}: ${JSON.stringify(run.outcome).slice(0, 200)}`,
    );
  });
  return totals;
}

async function peers(): Promise<Peers> {
  const folder = await installed('inspector', '@modelcontextprotocol/inspector', '2.12.0');
  return {
    node: await newerNode(),
    mcporter: join(await installed('mcporter', 'mcporter', '0.12.3'), 'dist', 'cli.js'),
    inspector: join(folder, 'clients', 'launcher', 'build', 'index.js'),
  };
}

const found = await peers();
const CLIENTS: Readonly<Record<string, Drive>> = {
  'mcp-codegen': ours,
  'mcp-codegen, command line': cli,
  'SDK v2': sdk,
  mcporter: mcporter(found),
  Inspector: inspector(found),
};

const [only, all] = process.argv.slice(2);
const rows: string[] = [];
for (const [name, drive] of Object.entries(CLIENTS)) {
  if (only !== undefined && only !== name) continue;
  const { cases, said, silent, wrong } = await totalsOf(name, drive, all ? CASES : ONE_EACH);
  rows.push(`| ${[name, cases, said, silent, wrong].join(' | ')} |`);
  console.log(rows.at(-1));
}
const head = '| client | ways | said | silent | wrong |\n| --- | --- | --- | --- | --- |';
if (only === undefined) {
  const text = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const table = `${BEGIN}\n\n${head}\n${rows.join('\n')}\n\n${END}`;
  writeFileSync(PAGE, before + table + (rest.split(END)[1] ?? ''));
}
process.exit();
