import { expect, it } from 'vitest';
import { DEFAULT_EMITS, emitUnits } from '../../generator/emit/index.js';
import { supportFiles } from '../support/emitted.js';
import { compileWith } from '../support/ts-compile.js';
import { readApi, ref, SHOP } from './openapi-support.js';

const tag = { propertyName: 'kind' };
const open = { type: 'object', properties: { kind: { type: 'string' }, a: { type: 'string' } } };

/** Every way to write a tagged union. */
const TAGGED = {
  Union: { oneOf: [ref('Open'), ref('Closed')], discriminator: tag },
  Mapped: {
    anyOf: [ref('Open'), ref('Closed')],
    discriminator: { ...tag, mapping: { x: 'Open' } },
  },
  Nested: { oneOf: [ref('Union'), ref('Child')], discriminator: tag },
  Open: open,
  Closed: { ...open, additionalProperties: false, required: ['kind'] },
  Base: { ...open, discriminator: tag },
  Child: { allOf: [ref('Base'), { type: 'object', properties: { b: { type: 'number' } } }] },
};

it('what is generated from an OpenAPI document compiles', async () => {
  const { schemas } = SHOP.components;
  const components = { ...SHOP.components, schemas: { ...schemas, ...TAGGED } };
  const { protocol } = readApi({ ...SHOP, components });
  const files: Record<string, string> = supportFiles();
  for (const { path, text } of await emitUnits(protocol, DEFAULT_EMITS))
    files[`api/${path}`] = text;
  expect(files['api/zod.ts']?.match(/\bdiscriminated\(/g)?.length).toBe(2);
  files['api/use.ts'] = `import { UnionSchema } from './zod.js';
    export const kind: 'Open' | 'Closed' = UnionSchema.parse({ kind: 'Open' }).kind;`;
  expect(await compileWith('7.0', files)).toEqual([]);
});
