import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { bundleStandalone } from 'ata-validator/build';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Row } from '../../bench.js';
import { measured, OURS } from '../../measured.js';
import { bundle } from '../prepare.js';
import { PARSES } from '../rows.js';
import { writeValidators } from '../tools/contenders.js';
import { PIPELINE, PIPELINES } from './schema.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Files by a foreign schema of many unions: one file in a process of its own, and all of them in one process. */
export const unions: Bench = {
  name: 'validate/unions',
  run: async () => {
    const folder = mkdtempSync(join(root, 'node_modules', '.bench-unions-'));
    try {
      await write(folder);
      const alone = PIPELINES.map((file, index) =>
        row(`file ${String(index + 1)}, fresh process`, folder, [file]),
      );
      return [...alone, row('all files, one process', folder, PIPELINES)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function write(folder: string): Promise<void> {
  const schema = { ...PIPELINE, $ref: '#/$defs/Pipeline' };
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
  writeFileSync(join(folder, 'ata.mjs'), bundleStandalone([schema], { format: 'esm' }));
  const ajv = new Ajv2020({ strict: false, code: { source: true, esm: true } });
  ajv.addSchema(schema, 'pipeline');
  writeFileSync(join(folder, 'ajv.js'), standalone.default(ajv, { Pipeline: 'pipeline' }));
  writeValidators(folder, PIPELINE);
  const place = (entry: string, name: string): Promise<void> =>
    bundle({
      entryPoints: [entry],
      outfile: join(folder, name),
      external: ['@exodus/*', 'typebox/*'],
    });
  await place(join(folder, 'tools/validators.ts'), 'ours.mjs');
  await place(join(folder, 'ajv.js'), 'ajv.mjs');
  await place(fileURLToPath(new URL('process.ts', import.meta.url)), 'process.mjs');
}

function row(name: string, folder: string, files: readonly unknown[]): Row {
  const texts = files.map((file) => JSON.stringify(file));
  const args = [join(folder, 'process.mjs'), folder, ...texts];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const { ours = [], ...peers } = JSON.parse(output) as Readonly<Record<string, number[]>>;
  return measured({
    row: name,
    unit: PARSES,
    better: 'less',
    bars: { [OURS]: ours, ...peers },
    times: { ata: 1 },
  });
}
