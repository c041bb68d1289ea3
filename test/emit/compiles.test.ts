import { Ajv2020 } from 'ajv/dist/2020.js';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emitUnits, namedParts } from '../../generator/emit/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import { randomFrom } from '../read/variants.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { root } from '../docs/snippets.js';
import { sized } from '../support/size.js';
import { checkTypes } from '../support/ts-check.js';
import { allOf, drawnDefinitions, valueOf } from './drawn.js';

const SEED = 45;
const drawn = drawnDefinitions(sized(250), SEED);
const definitions = allOf(drawn);

async function filesOf(protocol: ReturnType<typeof protocolOf>): Promise<Record<string, string>> {
  const units = await emitUnits(protocol, ['types', 'validators']);
  const own = Object.fromEntries(units.map(({ path, text }) => [`x/${path}`, text]));
  return { ...supportFiles(Object.values(own)), ...own };
}

it('every generated module compiles with the library of ES2022 alone', () => {
  const files = Object.fromEntries(
    ['support', 'ext-tasks'].flatMap((folder) =>
      readdirSync(`${root}generated/${folder}`, { encoding: 'utf8' })
        // The declarations of Zod need more.
        .filter((name) => name.endsWith('.ts') && name !== 'zod.ts')
        .map((name) => [
          `${folder}/${name}`,
          readFileSync(`${root}generated/${folder}/${name}`, 'utf8'),
        ]),
    ),
  );
  expect(Object.keys(files)).toContain('support/standard.ts');
  expect(checkTypes(files, () => true)).toEqual([]);
});

it('types and validators of drawn schemas compile, and a value has the type of a definition that accepts it', async () => {
  const files = await filesOf(namedParts(protocolOf(definitions)));
  const random = randomFrom(SEED);
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addSchema({ $id: 'all', $defs: definitions });
  const typed = drawn.flatMap(({ name }) => {
    const accepts = ajv.compile({ $ref: `all#/$defs/${name}` });
    const schema = { $ref: `#/$defs/${name}` };
    return (
      Array.from({ length: 10 }, () => valueOf(schema, definitions, random))
        // ajv calls a property of this name.
        .filter((value) => !JSON.stringify(value).includes('"toString"') && accepts(value))
        .map((value) => ({ name, value: typeText(value) }))
    );
  });
  expect(typed.length).toBeGreaterThan(drawn.length);
  const found = checkTypes(
    {
      ...files,
      'x/values.ts': moduleOf(
        typed.map(({ name, value }) => `(value: ${value}): types.${name} => value`),
      ),
      // The same values in the same lines.
      'x/weak.ts': moduleOf(
        typed.map(({ name, value }) => `(): Weakly<${value}, types.${name}> => true`),
        WEAKLY,
      ),
    },
    (path) => path.startsWith('x/'),
  );
  const isWeak = (problem: string): boolean => problem.startsWith('x/weak.ts');
  const refused = new Set(found.filter(isWeak).map(lineOf));
  const problems = found.filter((each) => {
    if (!each.startsWith('x/values.ts')) return !isWeak(each);
    return refused.has(lineOf(each)) && !each.includes('no properties in common');
  });
  expect(problems).toEqual([]);
});

/**
 * Whether a value has one of the types of a union. A type of optional properties alone refuses objects with none of them,
 * and not those that might have them.
 */
const WEAKLY = ` type Weakly<V, T> = T extends unknown ? V extends T ? true : {} extends T ? V & Pick<T, Exclude<keyof T, keyof V>> extends T ? true : never : never : never;`;

const moduleOf = (values: readonly string[], helper = ''): string =>
  `import type * as types from './types.js';${helper}\nexport const values: readonly unknown[] = [\n${values.map((each) => `${each},\n`).join('')}];\n`;

const lineOf = (problem: string): string => /\((\d+)\)/.exec(problem)?.[1] ?? '';

/** The type of one value. */
function typeText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(typeText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${typeText(each)}`,
  );
  return `{ ${members.join('; ')} }`;
}
