import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ms, percentile } from '../bench.js';
import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { measure } from './processes.js';
import type { Command, Cost } from './processes.js';
import { zodSize } from './zod-size.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/bin.js');
const schema = (revision: string): string => join(root, 'schema', revision, 'schema.json');
const require = createRequire(import.meta.url);

/** The script that a package puts on the path. */
function binary(name: string, bin = name): string {
  const path = require.resolve(`${name}/package.json`);
  const { bin: bins } = require(path) as { bin: string | Readonly<Record<string, string>> };
  return join(dirname(path), typeof bins === 'string' ? bins : (bins[bin] ?? ''));
}

const ROUNDS = 5;
const REVISION = '2025-11-25';

/** The cost of generating, beside other generators for the same schema. */
const generate: Bench = {
  name: 'generate',
  run: () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-generate-'));
    try {
      return Promise.resolve(rows(measure(commands(folder), ROUNDS, folder)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const generateBenches: readonly Bench[] = [generate, zodSize];

function commands(folder: string): Record<Name, Command> {
  const fresh = (path: string) => (): void => {
    rmSync(join(folder, path), { recursive: true, force: true });
  };
  const types = join(folder, 'json2ts.ts');
  const json2ts = [binary('json-schema-to-typescript', 'json2ts'), '--no-additionalProperties'];
  const quicktype = [binary('quicktype'), '--src-lang', 'schema', '--lang', 'ts', '--just-types'];
  return {
    node: { args: ['-e', '0'] },
    one: { args: [cli, 'generate', REVISION, '--out', 'one'], before: fresh('one') },
    all: { args: [cli, 'generate', '--out', 'all'], before: fresh('all') },
    again: { args: [cli, 'generate', '--out', 'all'] },
    check: { args: [cli, 'check', '--out', 'all'] },
    help: { args: [cli, '--help'] },
    json2ts: { args: [...json2ts, '--unreachableDefinitions', schema(REVISION), types] },
    tsToZod: { args: [binary('ts-to-zod'), '--skipValidation', 'json2ts.ts', 'zod.ts'] },
    quicktype: { args: [...quicktype, '-o', 'q.ts', schema(REVISION)] },
    quicktype2026: { args: [...quicktype, '-o', 'q.ts', schema('2026-07-28')] },
  };
}

type Name =
  | 'node'
  | 'one'
  | 'all'
  | 'again'
  | 'check'
  | 'help'
  | 'json2ts'
  | 'tsToZod'
  | 'quicktype'
  | 'quicktype2026';

function rows(costs: Readonly<Record<Name, Cost>>): Row[] {
  const { node, one, all, again, check, help, json2ts, tsToZod, quicktype, quicktype2026 } = costs;
  return [
    row(
      'generate 2025-11-25: types, Zod, validators, protocol',
      one,
      'json2ts (types)',
      json2ts,
      1,
    ),
    row('generate all six', all, 'json2ts, one revision', json2ts, 4),
    row('generate, nothing changed', again, 'node -e 0', node, 2),
    row('check, nothing changed', check, 'node -e 0', node, 2),
    row('--help', help, 'node -e 0', node, 2),
    row('types and Zod only, by others', one, 'json2ts, then ts-to-zod', sum(json2ts, tsToZod)),
    row('types only, by quicktype', one, 'quicktype', quicktype),
    row('types of 2026-07-28, by quicktype', one, 'quicktype', quicktype2026),
  ];
}

function sum(a: Cost, b: Cost): Cost {
  const both = (of: keyof Cost): number[] =>
    a[of].flatMap((value, round) => {
      const other = b[of][round];
      return other === undefined ? [] : [value + other];
    });
  return { cpu: both('cpu'), wall: both('wall') };
}

/** CPU time has a goal, which is a multiple of the peer's; wall time is shown only. */
function row(name: string, ours: Cost, peerName: string, peer: Cost, most?: number): Row {
  const limit = most === undefined ? undefined : most * percentile(peer.cpu, 0.5);
  const made = measured({
    row: `${name} (CPU)`,
    unit: 'ms',
    better: 'less',
    bars: { [OURS]: ours.cpu, [peerName]: peer.cpu },
    ...(limit !== undefined && { most: Math.round(limit) }),
  });
  const wall = (cost: Cost): string =>
    cost.wall.length === 0 ? 'fails' : `${ms(percentile(cost.wall, 0.5))} wall`;
  return {
    ...made,
    ours: `${made.ours} (${wall(ours)})`,
    peer: `${made.peer} (${wall(peer)})`,
  };
}
