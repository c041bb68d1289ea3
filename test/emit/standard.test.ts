import { sValidator } from '@hono/standard-validator';
import { McpServer } from '@modelcontextprotocol/server';
import { FormApi } from '@tanstack/form-core';
import { initTRPC } from '@trpc/server';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import { Hono } from 'hono';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { emitStandard } from '../../generator/emit/standard/emit-standard.js';
import { buildProtocol } from '../../generator/ir/index.js';
import { loadRevision, REVISIONS, type Revision } from '../../generator/read/load/index.js';
import type { Annotations, Role } from '../../generated/2025-11-25/types.js';
import type { StandardDefinition } from '../../generated/support/standard.js';
import * as schemas from '../../generated/2025-11-25/standard.js';
import { defineTool } from '../../runtime/server/index.js';
import { modern, rig } from '../server/support.js';
import { corpus, loadExamples } from '../support/corpus/index.js';
import { revisionOf } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { sampled, sized } from '../support/size.js';

const TARGETS = ['draft-2020-12', 'draft-07'] as const;
type Target = (typeof TARGETS)[number];
type Schemas = Readonly<Record<string, StandardDefinition<unknown>>>;

function ajvOf(target: Target) {
  const options = { strict: false, logger: false } as const;
  const ajv = target === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  return ajv;
}

/** One case of so many, so that all revisions take seconds. */
const EVERY = 7;
/** One definition of so many, because compiling one takes longer than checking its values. */
const SPARED = Math.max(1, Math.round(100 / sized(100)));

describe.each(sampled(REVISIONS, 3))('the standard schemas of %s', (revision: Revision) => {
  it('have the verdicts of ajv, and their JSON Schema has them in both drafts', async () => {
    const module = (await import(`../../generated/${revision}/standard.ts`)) as Schemas;
    const { document } = revisionOf(revision);
    const { examples } = loadExamples(revision);
    const compiled = TARGETS.map((target) => {
      const ajv = ajvOf(target);
      const checks = new Map<string, (value: unknown) => unknown>();
      return (name: string, schema: StandardDefinition<unknown>, value: unknown): unknown => {
        const check =
          checks.get(name) ?? ajv.compile(schema['~standard'].jsonSchema.input({ target }));
        checks.set(name, check);
        return check(value);
      };
    });
    const definitions = [...loadRevision(revision).document.definitions.keys()];
    const chosen = new Set(definitions.filter((_, index) => index % SPARED === 0));
    let seen = 0;
    const wrong: unknown[] = [];
    for (const { definition, value, expected } of corpus(document, { formats: true, examples })) {
      if (!chosen.has(definition) || (seen += 1) % EVERY !== 0) continue;
      const schema = module[`${definition}Schema`];
      if (schema === undefined) throw new Error(`${definition} has no standard schema`);
      const result = schema['~standard'].validate(value);
      const verdicts = compiled.map((check) => check(definition, schema, value));
      const own = result.issues === undefined;
      if (own && (result as { value: unknown }).value !== value) wrong.push({ definition, value });
      if (own !== expected || verdicts.some((each) => each !== expected))
        wrong.push({ definition, value, expected, own, verdicts });
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(seen / EVERY).toBeGreaterThan(1_000 / SPARED / 3);
  });

  it('are the same whatever the order of definitions, and twice', () => {
    const { document } = loadRevision(revision);
    const reversed = new Map([...document.definitions].reverse());
    const text = emitStandard(buildProtocol(document));
    expect(emitStandard(buildProtocol({ ...document, definitions: reversed }))).toBe(text);
  });
});

describe('a schema in a draft', () => {
  const text = emitStandard(
    protocolOf({
      Message: { type: 'object', properties: { __proto__x: { type: 'string' } } },
      Tree: { type: 'array', items: { $ref: '#/$defs/Tree', description: "It's ${more} */" } },
    }),
  );

  it('contains no code of a description', () => {
    expect(text).toContain('"It\'s ${more} */"');
  });

  it('is checked by what `validators.ts` has, where a name is taken there', () => {
    expect(text).toContain("validating(validators.isMessage, 'Message')");
    expect(text).toContain('validators.validateTree,');
  });

  it('is in a bundle only with what it refers to', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { AnnotationsSchema } from './generated/2025-11-25/standard.js';",
        resolveDir: process.cwd(),
      },
      ...{ bundle: true, format: 'esm', minify: true, write: false, target: 'es2022' },
    });
    const bundle = outputFiles?.[0]?.text ?? '';
    expect(bundle).toContain('audience');
    expect(bundle).not.toContain('ResourceLink');
    expect(bundle.length).toBeLessThan(10_000);
  });

  it.each(TARGETS)('is new each time, %s', (target) => {
    const { input } = schemas.ToolSchema['~standard'].jsonSchema;
    const first = input({ target });
    (first['properties'] as Record<string, unknown>)['name'] = 'changed';
    expect(input({ target })).not.toEqual(first);
  });

  it('that it does not have is refused', () => {
    expect(() =>
      schemas.ToolSchema['~standard'].jsonSchema.input({ target: 'openapi-3.0' }),
    ).toThrow('Unknown target openapi-3.0: use draft-2020-12 or draft-07');
  });

  it('contains what it refers to, and nothing else', () => {
    const { output } = schemas.AnnotationsSchema['~standard'].jsonSchema;
    expect(Object.keys(output({ target: 'draft-2020-12' })['$defs'] as object)).toEqual(['Role']);
    expect(Object.keys(output({ target: 'draft-07' })['definitions'] as object)).toEqual(['Role']);
  });
});

describe('others take the schemas', () => {
  const { ResourceLinkSchema, AnnotationsSchema, RoleSchema } = schemas;
  const link = { type: 'resource_link', name: 'a', uri: 'https://a.example' } as const;

  it('as arguments and results of our tools', async () => {
    const tool = defineTool({
      name: 'link',
      description: 'Takes a link.',
      input: ResourceLinkSchema,
      output: RoleSchema,
      run({ args }) {
        expectTypeOf(args.uri).toEqualTypeOf<string>();
        return args.name === 'a' ? 'user' : ('stranger' as Role);
      },
    });
    const rigged = await rig({ tools: [tool] });
    const call = async (args: object) =>
      modern(rigged, 'tools/call', { name: 'link', arguments: args });
    expect((await call(link)).result?.['structuredContent']).toBe('user');
    expect((await call({ ...link, uri: 'no uri' })).result?.['content']).toMatchObject([
      { text: expect.stringContaining('/uri: Expected a URI') as string },
    ]);
    expect((await call({ ...link, name: 'b' })).error?.code).toBe(-32603);
  });

  it('as arguments of the official SDK', () => {
    const server = new McpServer({ name: 'a', version: '1' });
    const tool = server.registerTool(
      'link',
      { inputSchema: ResourceLinkSchema, outputSchema: AnnotationsSchema },
      (args) => {
        expectTypeOf(args.uri).toEqualTypeOf<string>();
        return { content: [], structuredContent: { priority: 1 } };
      },
    );
    expect(tool.inputSchema).toBe(ResourceLinkSchema);
  });

  it('as input of tRPC', async () => {
    const t = initTRPC.create();
    const router = t.router({
      link: t.procedure.input(ResourceLinkSchema).query(({ input }) => input.uri),
    });
    const caller = t.createCallerFactory(router)({});
    expect(await caller.link(link)).toBe(link.uri);
    await expect(caller.link({ ...link, name: 1 } as never)).rejects.toThrow('Expected a string');
  });

  it("as a body by Hono's validator", async () => {
    const app = new Hono().post('/', sValidator('json', ResourceLinkSchema), (context) =>
      context.text(context.req.valid('json').uri),
    );
    const post = (body: object) =>
      app.request('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await (await post(link)).text()).toBe(link.uri);
    expect((await post({ ...link, name: 1 })).status).toBe(400);
  });

  it('as a validator of TanStack Form', async () => {
    const defaultValues: Annotations = { priority: 2 };
    const form = new FormApi({ defaultValues, validators: { onChange: AnnotationsSchema } });
    form.mount();
    await form.validate('change');
    expect(form.state.isValid).toBe(false);
    expect(JSON.stringify(form.state.errors)).toContain('Expected a number from 0 to 1');
    form.setFieldValue('priority', 1);
    await form.validate('change');
    expect(form.state.isValid).toBe(true);
  });
});
