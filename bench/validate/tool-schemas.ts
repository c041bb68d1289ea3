import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { sizeOf } from './footprint.js';
import { each, interleaved, ratios, without } from './measure.js';
import { faster, PARSES } from './rows.js';
import { casesOf } from './tools/cases.js';
import type { Cases } from './tools/cases.js';
import { ENTRIES, openContender, PEER_NAMES, writeContenders } from './tools/contenders.js';
import type { PeerName, ToolCheck, ToolChecks } from './tools/contenders.js';
import { TOOLS } from './tools/index.js';

const EFFORT = { rounds: 11, warmUp: 800_000 };
const PROCESSES = 9;
const COPIES = 4;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments of calls, checked by the input schemas of many tools. */
export const toolSchemas: Bench = {
  name: 'validate/tools',
  run: async () => {
    const folder = mkdtempSync(join(root, 'node_modules', '.bench-tools-'));
    try {
      await writeContenders(folder);
      return await rows(folder, casesOf());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function rows(folder: string, cases: readonly Cases[]): Promise<Row[]> {
  const ours = await openContender(folder, 'ours');
  const wrong = TOOLS.filter((_, index) => !agrees(ours[index], cases[index]));
  if (wrong.length > 0) throw new Error(`judged wrongly: ${wrong.map(({ name }) => name).join()}`);
  const speeds: Row[] = [];
  const reports: Row[] = [];
  for (const peer of PEER_NAMES) {
    const theirs = await openContender(folder, peer);
    const taken = cases.flatMap((each, index) => (agrees(theirs[index], each) ? [index] : []));
    const beside = { peer, taken, ours, theirs, cases };
    speeds.push(...speedRows(beside));
    reports.push(reportRow(beside));
  }
  return [...speeds, ...reports, await sizeRow(folder), loadRow(folder)];
}

function agrees(check: ToolCheck | undefined, cases: Cases | undefined): boolean {
  if (!check || !cases) return false;
  const { valid, broken } = cases;
  try {
    return valid.every(check.accepts) && !broken.some(check.accepts);
  } catch {
    return false;
  }
}

/** One peer and the tools that it judges as the others do. */
interface Beside {
  readonly peer: PeerName;
  readonly taken: readonly number[];
  readonly ours: ToolChecks;
  readonly theirs: ToolChecks;
  readonly cases: readonly Cases[];
}

/** One call: the arguments, and the two checks of its tool. */
interface Call {
  readonly value: unknown;
  readonly ours: ToolCheck;
  readonly theirs: ToolCheck;
}

function callsOf(
  { taken, ours, theirs, cases }: Beside,
  values: (cases: Cases) => readonly unknown[],
): Call[] {
  const once = taken.flatMap((index) => {
    const [our, their, all] = [ours[index], theirs[index], cases[index]];
    if (!our || !their || !all) return [];
    return values(all).map((value) => ({ value, ours: our, theirs: their }));
  });
  return Array.from({ length: COPIES }, () =>
    once.map((call) => ({ ...call, value: JSON.parse(JSON.stringify(call.value)) as unknown })),
  ).flat();
}

/** The median cost of both, divided by that of `JSON.parse` of the same texts. */
function costs(
  calls: readonly Call[],
  work: (check: ToolCheck, value: unknown) => unknown,
): { readonly ours: number[]; readonly theirs: number[] } {
  const texts = calls.map(({ value }) => JSON.stringify(value));
  const found = interleaved(
    {
      parse: each(texts, (text) => void JSON.parse(text)),
      nothing: each(calls, ({ value }) => value),
      ours: each(calls, ({ ours, value }) => work(ours, value)),
      theirs: each(calls, ({ theirs, value }) => work(theirs, value)),
    },
    EFFORT,
  );
  const own = (name: keyof typeof found): number[] => without(found[name], found.nothing);
  return {
    ours: ratios(own('ours'), own('parse')),
    theirs: ratios(own('theirs'), own('parse')),
  };
}

function speedRows(beside: Beside): Row[] {
  const { peer, taken } = beside;
  const calls = callsOf(beside, ({ valid }) => valid);
  const { ours, theirs } = costs(calls, (check, value) => check.accepts(value));
  const row = measured({
    row: `arguments ÷ JSON.parse beside ${peer}, ${count(taken)}`,
    unit: PARSES,
    better: 'less',
    bars: { [OURS]: ours, [peer]: theirs },
  });
  if (peer !== 'ajv-standalone') return [row];
  return [row, faster('arguments, faster than ajv standalone', 3, ours, theirs)];
}

function reportRow(beside: Beside): Row {
  const calls = callsOf(beside, ({ broken }) => broken);
  const { ours, theirs } = costs(calls, (check, value) => check.faults(value));
  const isFirst = beside.peer === 'ajv-standalone';
  const peer = isFirst ? `${beside.peer}, the first error only` : beside.peer;
  return measured({
    row: `errors of wrong arguments ÷ JSON.parse beside ${beside.peer}, ${count(beside.taken)}`,
    unit: PARSES,
    better: 'less',
    most: 1,
    bars: { [OURS]: ours, [peer]: theirs },
    ...(isFirst && { times: { [peer]: 3 } }),
  });
}

const count = (taken: readonly number[]): string =>
  `${String(taken.length)} of ${String(TOOLS.length)} tools`;

async function sizeRow(folder: string): Promise<Row> {
  const size = async (code: string): Promise<number[]> => [(await sizeOf(code, folder)) / 1_000];
  const ajv = await size(ENTRIES['ajv-standalone']);
  const most = (ajv[0] ?? NaN) / 5;
  return {
    ...measured({
      row: `validators of ${String(TOOLS.length)} tools, min+gz`,
      unit: 'KB',
      better: 'less',
      most,
      bars: {
        [OURS]: await size(ENTRIES.ours),
        'ajv-standalone': ajv,
        ata: await size(ENTRIES.ata),
        'zod-json-schema, with the schemas': await size(ENTRIES['zod-json-schema']),
        'cfworker, with the schemas': await size(ENTRIES.cfworker),
      },
    }),
    goal: '≤ 1/5 of ajv standalone',
  };
}

/** A new process that imports a contender's module and gets all its checks. */
function loadRow(folder: string): Row {
  const names = ['ours', ...PEER_NAMES] as const;
  const spent = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < PROCESSES; round += 1) {
    for (const name of names) {
      const url = pathToFileURL(join(folder, `${name}.mjs`)).href;
      const code = `const start = process.cpuUsage(); await import('${url}');
        const { user, system } = process.cpuUsage(start); console.log(user + system)`;
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
        encoding: 'utf8',
      });
      spent.get(name)?.push(Number(output) / 1000);
    }
  }
  const { ours, ...peers } = Object.fromEntries(spent);
  return measured({
    row: 'loading the validators of all tools, CPU',
    unit: 'ms',
    better: 'less',
    bars: { [OURS]: ours ?? [], ...peers },
  });
}
