import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Row } from '../bench.js';
import { measured } from '../measured.js';
import { cpuOf, each, interleaved } from '../validate/measure.js';
import { type Cases, casesOf } from '../validate/tools/cases.js';
import { TOOLS } from '../validate/tools/index.js';
import type { ToolSchema } from '../validate/tools/schema.js';
import { type Checks, type Make, NAMES, opened } from './opened.mjs';

type Samples = Record<string, number[]>;

const WARM = { rounds: 15, warmUp: 1_500_000 };
const PROCESSES = 9;
const ROUNDS = 41;
/** Rounds before those that count, while the code is compiled. */
const BEFORE = 40;
/** ajv takes 1,000 times as long to read a schema. */
const ROUNDS_OF_AJV = 2;

/** The schemas of tools as strangers write them, read and checked by `json-schema/`. */
export const room: Bench = {
  name: 'schemas/json-schema',
  run: async () => {
    const cases = casesOf();
    const of = `${String(TOOLS.length)} tools`;
    const makers = new Map<string, Make>();
    for (const name of NAMES) makers.set(name, await opened(name));
    return [
      ...warmRows(TOOLS, cases, makers, of),
      readRow(TOOLS, cases, makers, of),
      ...youngRows(TOOLS, cases, of),
    ];
  },
};

/** Checks and faults of schemas that have been read. */
function warmRows(
  tools: readonly ToolSchema[],
  cases: readonly Cases[],
  makers: ReadonlyMap<string, Make>,
  of: string,
): Row[] {
  const samples = (
    values: (cases: Cases) => readonly unknown[],
    work: (checks: Checks, value: unknown) => unknown,
  ): Samples => {
    const jobs = new Map<string, () => void>();
    for (const [name, make] of makers) {
      const calls = tools.flatMap(({ inputSchema }, index) => {
        const checks = make(inputSchema);
        return values(cases[index] ?? { valid: [], broken: [] }).map((value) => ({
          checks,
          value: structuredClone(value),
        }));
      });
      jobs.set(
        name,
        each(calls, ({ checks, value }) => {
          if (work(checks, value) === false) throw new Error(`${name} judges wrongly`);
        }),
      );
    }
    return interleaved(Object.fromEntries(jobs), WARM);
  };
  const valid = samples(
    ({ valid }) => valid,
    ({ accepts }, value) => accepts(value),
  );
  const first = samples(
    ({ broken }) => broken,
    ({ first }, value) => first(value) > 0,
  );
  const all = samples(
    ({ broken }) => broken,
    ({ all }, value) => all(value) > 0,
  );
  const faults = { unit: 'µs', better: 'less' } as const;
  return [
    measured({
      row: `a check of the arguments of ${of}`,
      unit: 'checks/ms',
      better: 'more',
      bars: perMillisecond(valid),
      times: { cfworker: 15, ajv: 1.5 },
    }),
    measured({ row: `the first fault, ${of}`, ...faults, bars: first, times: { ajv: 3 } }),
    measured({ row: `all faults, ${of}`, ...faults, bars: all }),
  ];
}

const perMillisecond = (samples: Samples): Samples =>
  Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [name, list.map((spent) => 1_000 / spent)]),
  );

/** Each schema is read anew, and one value is checked. */
function readRow(
  tools: readonly ToolSchema[],
  cases: readonly Cases[],
  makers: ReadonlyMap<string, Make>,
  of: string,
): Row {
  const text = JSON.stringify(tools);
  const samples: Samples = Object.fromEntries(NAMES.map((name) => [name, []]));
  for (let round = 0; round < BEFORE + ROUNDS; round += 1) {
    for (const [name, make] of round % 2 === 0 ? makers : [...makers].reverse()) {
      if (name === 'ajv' && round < BEFORE + ROUNDS - ROUNDS_OF_AJV) continue;
      const fresh = JSON.parse(text) as ToolSchema[];
      const spent = cpuOf(() => {
        for (const [index, { inputSchema }] of fresh.entries()) {
          make(inputSchema).accepts(cases[index]?.valid[0]);
        }
      });
      if (round >= BEFORE) samples[name]?.push(spent / tools.length);
    }
  }
  return onceRow(`a schema read and one value checked, ${of}`, samples);
}

function onceRow(row: string, samples: Samples): Row {
  const bars = perMillisecond(samples);
  return measured({
    row,
    unit: 'schemas/ms',
    better: 'more',
    bars,
    times: { ajv: 20, cfworker: 1 },
  });
}

interface Young {
  readonly read: number;
  readonly fault: number;
}

/** The same in processes that have seen nothing yet. */
function youngRows(tools: readonly ToolSchema[], cases: readonly Cases[], of: string): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'tools.json');
  const script = fileURLToPath(new URL('young.js', import.meta.url));
  const reads: Samples = Object.fromEntries(NAMES.map((name) => [name, []]));
  const faults: Samples = Object.fromEntries(NAMES.map((name) => [name, []]));
  const broken = cases.filter((each) => each.broken.length > 0).length;
  try {
    writeFileSync(file, JSON.stringify({ tools, cases }));
    for (let round = 0; round < PROCESSES; round += 1) {
      for (const name of NAMES) {
        const output = execFileSync(process.execPath, [script, name, file], { encoding: 'utf8' });
        const { read, fault } = JSON.parse(output) as Young;
        reads[name]?.push(read / tools.length);
        faults[name]?.push(fault / broken);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const where = 'in a new process';
  return [
    onceRow(`a schema read and one value checked, ${of}, ${where}`, reads),
    measured({
      row: `the first fault, ${of}, ${where}`,
      unit: 'µs',
      better: 'less',
      bars: faults,
      times: { ajv: 3 },
    }),
  ];
}
