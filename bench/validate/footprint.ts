import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Bench, Row } from '../bench.js';
import { wireDefinitions } from './contender.js';
import { NAMES, prepared, writeAjv, writeAta } from './prepare.js';
import type { ContenderName, Prepared } from './prepare.js';
import { absences, limited, PARSES } from './rows.js';
import { TRAFFIC } from './traffic.js';
import type { TrafficRevision } from './traffic.js';

const PROCESSES = 9;
const FIRST = 100;

/** The size for a page or a process, and the cost of the first messages. */
export function footprint(revision: TrafficRevision): Bench {
  return {
    name: `validate/footprint ${revision}`,
    run: () =>
      prepared(revision, async (all) => [
        await sizes(all),
        ...young(revision, all),
        ...absences(all),
      ]),
  };
}

/** The minified and compressed size of code that checks and reports any message. */
async function sizes({ inputs, folder }: Prepared): Promise<Row> {
  const names = wireDefinitions(inputs.rules);
  const standalone = await writeAjv(folder, inputs.schema, names);
  const ata = writeAta(folder, inputs.schema, names);
  const schemas = (from: string): string =>
    `import * as all from '${from}';\nexport const used = [${names
      .concat('JSONRPCMessage', 'JSONRPCRequest', 'JSONRPCNotification', 'JSONRPCErrorResponse')
      .map((name) => `all.${name}Schema`)
      .join(', ')}];\n`;
  const entries: Partial<Record<ContenderName, string>> = {
    ours: `export { validateMessage } from '${fileURLToPath(inputs.validators)}';\n`,
    'sdk-v1': schemas('@modelcontextprotocol/sdk/types.js'),
    'sdk-v2': schemas('@modelcontextprotocol/core'),
    'ajv-standalone': `export * from '${standalone}';\n`,
    ata: `export * from '${ata}';\n`,
  };
  const found = new Map<ContenderName, readonly number[]>();
  for (const name of NAMES) {
    const contents = entries[name];
    if (contents !== undefined) found.set(name, [(await sizeOf(contents, folder)) / 1_000]);
  }
  return limited({
    row: 'bundle of all messages and errors, min+gz',
    limit: 10,
    samples: found,
    unit: 'KB',
  });
}

export async function sizeOf(contents: string, resolveDir: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    // The SDK publishes no schemas for some definitions; these count as zero.
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

interface Youth {
  readonly load: number;
  readonly heap: number;
  readonly parse: number;
  readonly check: number;
}

function young(revision: TrafficRevision, all: Prepared): Row[] {
  const found = new Map<ContenderName, Youth[]>();
  for (let round = 0; round < PROCESSES; round += 1) {
    for (const name of all.running.keys()) {
      found.set(name, [...(found.get(name) ?? []), grow(name, revision, all)]);
    }
  }
  const row = (name: string, limit: number, unit: string, figure: (youth: Youth) => number): Row =>
    limited({
      row: name,
      limit,
      unit,
      samples: new Map([...found].map(([name, all]) => [name, all.map(figure)])),
    });
  return [
    row('loading all definitions, CPU', 10, 'ms', ({ load }) => load / 1_000),
    row('loading all definitions, heap', 0.5, 'MB', ({ heap }) => heap / 1e6),
    row('first 100 messages ÷ JSON.parse of them', 2, PARSES, ({ parse, check }) => check / parse),
  ];
}

/** A new process that loads the contender and receives its first messages. */
function grow(
  name: ContenderName,
  revision: TrafficRevision,
  { folder, inputs, moduleOf }: Prepared,
): Youth {
  const traffic = TRAFFIC[revision];
  const samples = Array.from({ length: FIRST }, (_, index) => {
    const sample = traffic[index % traffic.length];
    return { ...sample, message: undefined, text: JSON.stringify(sample?.message) };
  });
  const [setting, messages] = [join(folder, 'young.json'), join(folder, 'young-messages.json')];
  const module = pathToFileURL(moduleOf(name)).href;
  writeFileSync(setting, JSON.stringify({ module, inputs }));
  writeFileSync(messages, JSON.stringify(samples));
  const script = fileURLToPath(new URL('young.js', import.meta.url));
  const output = execFileSync(process.execPath, ['--expose-gc', script, setting, messages], {
    encoding: 'utf8',
  });
  const youth = JSON.parse(output) as Youth & { readonly accepted: number };
  if (youth.accepted !== FIRST) throw new Error(`${name} accepts ${String(youth.accepted)}`);
  return youth;
}
