import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DRAFTS, type Draft, type JsonValue } from '../../json-schema/index.js';
import { emitToolValidators, readTools } from '../../generator/tools/index.js';
import { createCompiler } from '../read/compiled.js';
import { compileByAjv, isCircular, plain, secondOpinion } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { sized } from '../support/size.js';

type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly errors: readonly { readonly pointer: string }[] };
type Checks = Readonly<Record<string, (value: unknown) => Verdict>>;

const compiler = createCompiler();
afterAll(() => compiler.remove());

async function checksOf(listed: readonly JsonValue[]): Promise<{ input: Checks; output: Checks }> {
  const { tools } = readTools(listed);
  const module = (await compiler.load(emitToolValidators(tools, './tools.js'))) as {
    validateInput: Checks;
    validateOutput: Checks;
  };
  return { input: module.validateInput, output: module.validateOutput };
}

const uriOf = (draft: Draft): string =>
  draft.startsWith('draft-')
    ? `http://json-schema.org/${draft}/schema#`
    : `https://json-schema.org/draft/${draft}/schema`;

describe.each(DRAFTS)('the checks of tools in %s', (draft) => {
  it('agree with ajv on drawn schemas, for arguments and for what tools return', async () => {
    const schemas = fc
      .sample(drawnSchema(draft), { numRuns: sized(150), seed: 14 })
      .map((schema) => ({ $schema: uriOf(draft), ...(plain(schema) as object) }))
      .filter((schema) => !isCircular(schema, draft));
    const values = fc.sample(drawnValue, { numRuns: 40, seed: 14 }).map(plain);
    const { input, output } = await checksOf(
      schemas.map((schema, index) => ({
        name: `t${index}`,
        inputSchema: schema,
        outputSchema: schema,
      })),
    );
    let verdicts = 0;
    for (const [index, schema] of schemas.entries()) {
      const oracle = compileByAjv(schema, draft);
      for (const value of oracle ? values : []) {
        const valid = input[`t${index}`]?.(value).ok;
        expect(output[`t${index}`]?.(value).ok).toBe(valid);
        verdicts += 1;
        if (valid === oracle?.(value)) continue;
        expect(
          secondOpinion(schema, draft, value) ?? valid,
          JSON.stringify({ schema, value }),
        ).toBe(valid);
      }
    }
    expect(verdicts).toBeGreaterThan(20 * schemas.length);
  });
});

describe('the checks of tools', () => {
  it('report every error with a pointer', async () => {
    const { input } = await checksOf([
      {
        name: 'add_all',
        inputSchema: {
          type: 'object',
          properties: {
            numbers: { type: 'array', items: { type: 'number' } },
            unit: { enum: ['m', 's'] },
          },
          required: ['numbers', 'unit'],
          additionalProperties: false,
        },
      },
    ]);
    const verdict = input['addAll']?.({ numbers: [1, 'x', null], unit: 'kg', more: 1 });
    const pointers = verdict?.ok === false ? verdict.errors.map(({ pointer }) => pointer) : [];
    expect(pointers.sort()).toEqual(['/more', '/numbers/1', '/numbers/2', '/unit']);
  });

  it('agree with ajv on lengths beside literals', async () => {
    const literals = fc.uniqueArray(
      fc.constantFrom<JsonValue>('', 'b', '😀', 'abc', 1, null, { a: 1 }),
      {
        minLength: 1,
      },
    );
    const lengths = fc.record({ minLength: fc.nat(3), maxLength: fc.nat(3) }, { requiredKeys: [] });
    const typed = fc.constantFrom<object>({}, { type: 'string' }, { type: ['string', 'null'] });
    const schema = fc
      .tuple(literals, lengths, typed, fc.boolean())
      .map(([values, length, type, isApart]) =>
        isApart
          ? { allOf: [{ anyOf: [{ enum: values }, { type: 'number' }] }, { ...type, ...length }] }
          : { enum: values, ...type, ...length },
      );
    const schemas = fc.sample(schema, { numRuns: sized(150), seed: 26 });
    const { input } = await checksOf(
      schemas.map((each, index) => ({
        name: `t${index}`,
        inputSchema: { type: 'object', properties: { a: each } },
      })),
    );
    for (const [index, each] of schemas.entries()) {
      const oracle = compileByAjv(each, '2020-12');
      for (const a of ['', 'b', '😀', 'abc', 'd', 1, null, { a: 1 }]) {
        expect(input[`t${index}`]?.({ a }).ok, JSON.stringify([each, a])).toBe(oracle?.(a));
      }
    }
  });

  it('accept everything where a part of the schema was not read', async () => {
    const listed = [
      {
        name: 'it',
        inputSchema: {
          type: 'object',
          properties: { far: { $ref: 'https://example.com/x' }, near: { type: 'string' } },
        },
      },
      { name: 'none', inputSchema: 7 },
      { name: 'exact', inputSchema: { type: 'object', 'x-note': 1 } },
    ];
    const { input } = await checksOf(listed);
    expect(input['it']?.({ far: 1, near: '' }).ok).toBe(true);
    expect(input['it']?.({ far: 1, near: 1 }).ok).toBe(false);
    expect(input['none']?.({}).ok).toBe(true);
    const exact = readTools(listed).tools.map((tool) => [tool.name, tool.input.exact]);
    expect(Object.fromEntries(exact)).toEqual({ it: false, none: false, exact: true });
  });

  it('are empty tables for a server without tools', async () => {
    expect(await checksOf([])).toEqual({ input: {}, output: {} });
  });
});
