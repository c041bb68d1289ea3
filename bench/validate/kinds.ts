import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Bench, Row } from '../bench.js';
import { measured } from '../measured.js';
import type { KindTask } from './kind-process.js';
import { bundle, CONTENDERS, prepared } from './prepare.js';
import type { ContenderName, Prepared } from './prepare.js';
import { named, PARSES } from './rows.js';
import type { Samples } from './rows.js';
import { TRAFFIC } from './traffic.js';
import type { Sample, TrafficRevision } from './traffic.js';

const EFFORT = { rounds: 5, warmUp: 40_000 };
/** The contenders that take less than parsing a message. */
const QUICK: readonly ContenderName[] = ['ours', 'ajv-standalone', 'ata', 'typebox', 'schemasafe'];

/** Each kind of message in a process of its own, which has seen one shape: the best case of each contender. */
export function kinds(revision: TrafficRevision): Bench {
  return {
    name: `validate/kinds ${revision}, fresh process`,
    run: () => prepared(revision, (all) => rows(revision, all)),
  };
}

/** A kind of message, not slower than the fastest peer. */
export function kindRow(kind: string, samples: Samples): Row {
  return measured({
    row: kind,
    unit: PARSES,
    better: 'less',
    bars: named(samples),
    times: { [CONTENDERS.ata]: 1 },
  });
}

async function rows(revision: TrafficRevision, all: Prepared): Promise<Row[]> {
  const script = join(all.folder, 'kind-process.mjs');
  await bundle({
    entryPoints: [fileURLToPath(new URL('kind-process.ts', import.meta.url))],
    outfile: script,
    packages: 'external',
  });
  return TRAFFIC[revision].map((sample) => kindRow(sample.kind, measure(script, sample, all)));
}

function measure(script: string, sample: Sample, all: Prepared): Samples {
  const { folder, inputs, moduleOf, running } = all;
  const modules = QUICK.filter((name) => running.has(name)).map((name) => [
    name,
    pathToFileURL(moduleOf(name)).href,
  ]);
  const urls = Object.fromEntries(modules) as KindTask['modules'];
  const task: KindTask = { inputs, sample, effort: EFFORT, modules: urls };
  const file = join(folder, 'kind.json');
  writeFileSync(file, JSON.stringify(task));
  const output = execFileSync(process.execPath, [script, file], { encoding: 'utf8' });
  return new Map(Object.entries(JSON.parse(output) as object)) as Samples;
}
