import { describe, expect, it } from 'vitest';
import { emitUnits } from '../../generator/emit/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import { bundledSchema } from '../support/corpus/index.js';
import type { JsonObject } from '../support/corpus/index.js';
import { supportFiles } from '../support/emitted.js';
import { compileWith } from '../support/ts-compile.js';
import { changedParts, partsOf } from './code-parts.js';
import type { Code, CodeParts } from './code-parts.js';
import { mutantOf } from './mutations.js';
import type { Mutant } from './mutations.js';
import { sized } from '../support/size.js';

const COUNT = sized(20);
/** How many are compiled as one program. */
const TOGETHER = Number(process.env['MUTANTS_TOGETHER'] ?? 20);
const batches = Array.from({ length: Math.ceil(COUNT / TOGETHER) }, (_, batch) => {
  const first = batch * TOGETHER;
  return { first, last: Math.min(first + TOGETHER, COUNT) - 1 };
});

async function codeOf(schema: JsonObject): Promise<Code> {
  const { protocol } = protocolFromSource({ label: 'schema.json', text: JSON.stringify(schema) });
  const units = await emitUnits(protocol, ['types', 'zod', 'validators', 'protocol']);
  return Object.fromEntries(units.map(({ path, text }) => [path, text]));
}

const bases = new Map<string, Promise<CodeParts>>();

function partsOfBase({ base }: Mutant): Promise<CodeParts> {
  const known =
    bases.get(base) ?? codeOf(bundledSchema(base) as unknown as JsonObject).then(partsOf);
  bases.set(base, known);
  return known;
}

/** The definitions that contain no changed one, neither before nor after the change. */
function unreached({ base, plain, touched }: Mutant): string[] {
  const before = referencesIn(bundledSchema(base) as unknown as JsonObject);
  const after = referencesIn(plain);
  const reached = new Set(touched);
  for (let size = -1; size !== reached.size;) {
    size = reached.size;
    for (const [name, to] of [...before, ...after]) {
      if (to.some((each) => reached.has(each))) reached.add(name);
    }
  }
  return before.map(([name]) => name).filter((name) => !reached.has(name));
}

function referencesIn(schema: JsonObject): (readonly [name: string, to: readonly string[]])[] {
  const definitions = schema['$defs'] ?? schema['definitions'] ?? {};
  return Object.entries(definitions).map(([name, definition]) => {
    const references = JSON.stringify(definition).matchAll(/"\$ref":"#\/[^/"]+\/([^"]+)"/g);
    return [name, [...references].map(([, to = '']) => to)];
  });
}

describe('the code of next revisions', () => {
  it.each(batches)(
    'compiles, and changes only where the schema does: seeds $first to $last',
    async ({ first, last }) => {
      const files: Record<string, string> = supportFiles();
      for (let seed = first; seed <= last; seed += 1) {
        const mutant = mutantOf(seed);
        const code = await codeOf(mutant.plain);
        const rest = unreached(mutant);
        expect(rest.length).toBeGreaterThan(0);
        const changed = changedParts(await partsOfBase(mutant), partsOf(code), rest);
        expect(changed, `seed ${String(seed)}: ${mutant.kinds.join()}`).toEqual([]);
        const rewritten = await codeOf(mutant.schema);
        for (const [path, text] of Object.entries(code)) {
          files[`seed${String(seed)}/${path}`] = text;
          files[`rewritten${String(seed)}/${path}`] = rewritten[path] ?? '';
        }
      }
      expect(await compileWith('7.0', files)).toEqual([]);
    },
  );
});
