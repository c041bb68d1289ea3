import { build } from 'esbuild';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_EMITS, emitUnits } from '../../generator/emit/index.js';
import { packageRoot } from '../../generator/read/load/index.js';
import { createOracle, fuzz } from '../support/corpus/index.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { definitions } from '../support/tokens.js';
import { compileWith } from '../support/ts-compile.js';
import { sized } from '../support/size.js';

/** The same schemas in every run; `FUZZ_SEED` makes others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const SCHEMAS = sized(60);
const VALUES = 600;
const TIDY = { noUnusedLocals: true, noUnusedParameters: true, noImplicitReturns: true };

const schemas = fc.sample(definitions, { seed: SEED, numRuns: SCHEMAS });
const folder = mkdtempSync(join(packageRoot(), 'node_modules', '.tokens-'));
const files: Record<string, string> = supportFiles();

type Functions = Readonly<Record<string, (value: unknown, options?: object) => unknown>>;
type Schemas = Readonly<Record<string, { safeParse: (value: unknown) => { success: boolean } }>>;

beforeAll(async () => {
  for (const [index, schema] of schemas.entries()) {
    const units = await emitUnits(protocolOf(schema), DEFAULT_EMITS);
    for (const { path, text } of units) files[`s${String(index)}/${path}`] = text;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await build({
    entryPoints: Object.keys(files).map((path) => join(folder, path)),
    outdir: join(folder, 'out'),
    outbase: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    external: ['zod'],
    format: 'esm',
    platform: 'node',
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('schemas whose texts and names are tokens of code', () => {
  it('compile', async () => {
    expect(await compileWith('7.0', files, TIDY)).toEqual([]);
  });

  it.each(schemas.map((schema, index) => ({ index, schema })))(
    'schema $index: validators and Zod agree with ajv',
    async ({ index, schema }) => {
      const load = async (name: string): Promise<object> =>
        (await import(
          pathToFileURL(join(folder, 'out', `s${String(index)}`, `${name}.mjs`)).href
        )) as object;
      const validators = (await load('validators')) as Functions;
      const zod = (await load('zod')) as Schemas;
      expect(Object.keys(await load('protocol'))).toContain('REQUESTS');
      const document = { $defs: schema } as Parameters<typeof createOracle>[0];
      const strict = createOracle(document, { formats: true });
      const protocol = protocolOf(schema);
      const names = new Map(protocol.definitions.map(({ pointer, name }) => [pointer, name]));
      const wrong: unknown[] = [];
      for (const { definition, value } of fuzz(document, SEED + index, VALUES)) {
        const expected = strict.accepts(definition, value);
        const name = names.get(`/$defs/${definition}`) ?? '';
        const is = validators[`is${name}`]?.(value, { formats: true });
        const parsed = zod[`${name}Schema`]?.safeParse(value).success;
        if (is !== expected || parsed !== expected) {
          wrong.push({ definition, value, expected, is, parsed });
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect('pwned' in globalThis).toBe(false);
    },
  );
});
