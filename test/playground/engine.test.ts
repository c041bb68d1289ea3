import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAFTS } from '../../json-schema/index.js';
import { namedParts } from '../../generator/emit/index.js';
import { generate } from '../../generator/plan/generate.js';
import { answer, LARGEST } from '../../pages/playground/engine.js';
import type { Answers, Question } from '../../pages/playground/questions.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import { type Assets, reportPage } from '../../pages/index.js';
import { applyPlan, memoryFolder } from '../../generator/write/index.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { ASSETS, recorderOf } from '../report/reports.js';
import { emitted } from '../support/emitted.js';
import { RECORDINGS, withoutHeader } from './texts.js';
import { sampled } from '../support/size.js';

/** The answer of the engine, as a worker sends it. */
async function ask<Q extends Question>(question: Q): Promise<Answers[Q['kind']]> {
  return structuredClone(await answer(question, ASSETS)) as Answers[Q['kind']];
}

const json = (value: unknown): string => JSON.stringify(value);

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-playground-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** The files that `generate` writes for a schema, without their headers. */
async function generated(file: string, text: string): Promise<Record<string, string>> {
  writeFileSync(join(cwd, file), text);
  const files = new Map<string, string>();
  const folder = memoryFolder(files);
  const { plan } = await generate({
    inputs: [{ location: file }],
    emits: ['types', 'zod', 'validators'],
    errata: true,
    force: false,
    prune: false,
    cwd,
    folder,
  });
  applyPlan(plan, folder);
  const names = ['types', 'zod', 'validators'].map((name) => `${name}.ts`);
  return Object.fromEntries(
    names.map((name) => [name, withoutHeader(files.get(`schema/${name}`) ?? '')]),
  );
}

const filesOf = ({ files }: Answers['schema']): Record<string, string> =>
  Object.fromEntries(files.map(({ path, text }) => [path, text]));

describe('messages', () => {
  it.each(Object.keys(RECORDINGS))(
    'a recording %s: the report is that of validate',
    async (name) => {
      const text = RECORDINGS[name] ?? '';
      const { report } = await ask({ kind: 'messages', text });
      expect(report).toBe(reportPage(await recorderOf({ pasted: text }), ASSETS));
    },
  );

  it('are not valid where there are none', async () => {
    expect((await ask({ kind: 'messages', text: ' \n' })).verdict).toBe('none');
    expect((await ask({ kind: 'messages', text: 'hello' })).verdict).toBe('invalid');
  });

  it('are checked by the revision, the extension and the sender that the user chooses', async () => {
    const text = json({ jsonrpc: '2.0', id: 1, method: 'tasks/list' });
    const verdict = async (more: object): Promise<string> =>
      (await ask({ kind: 'messages', text, ...more })).verdict;
    expect(await verdict({})).toBe('unclear');
    expect(await verdict({ revision: '2025-11-25', from: 'client' })).toBe('valid');
    expect(await verdict({ revision: '2024-11-05', from: 'client' })).toBe('invalid');
    const get = json({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'a' } });
    const found = async (extension?: string): Promise<string> => {
      const question = { kind: 'messages', text: get, revision: '2026-07-28', extension } as const;
      const { findings } = await ask({ ...question, from: 'client' });
      return findings.map((each) => each.text).join('');
    };
    expect(await found()).not.toBe(await found('ext-tasks'));
  });
});

describe.each(sampled(DRAFTS, 2))('schemas of %s', (draft) => {
  it('have the code of generate', async () => {
    await fc.assert(
      fc.asyncProperty(drawnSchema(draft), async (schema) => {
        const text = json(schema);
        // `generate` takes the draft of a schema that does not say it from the document.
        const $schema = { ...(schema as object), $schema: SCHEMA_URIS[draft] };
        const found = await ask({ kind: 'schema', text: json($schema) });
        expect(filesOf(found)).toEqual(await generated('schema.json', json($schema)));
        expect(filesOf(await ask({ kind: 'schema', text, draft }))).toEqual(filesOf(found));
      }),
      { numRuns: 8 },
    );
  });

  it('accept the values that the generated validators accept', async () => {
    let accepted = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        drawnSchema(draft),
        fc.array(drawnValue, { minLength: 12, maxLength: 12 }),
        async (schema, values) => {
          const text = json({ ...(schema as object), $schema: SCHEMA_URIS[draft] });
          const { protocol } = protocolFromSource({ label: 'schema.json', text });
          const { validate } = await emitted(namedParts(protocol));
          for (const value of values) {
            const { checked } = await ask({ kind: 'value', text, value: json(value) });
            if (!checked) continue;
            const verdict = validate(checked.definition, JSON.parse(json(value)));
            expect([value, checked.refusal === undefined]).toEqual([value, verdict.ok]);
            if (verdict.ok) accepted += 1;
            else refused += 1;
          }
        },
      ),
      { numRuns: 20 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(0);
  });
});

const SCHEMA_URIS = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const;

describe('a schema', () => {
  it('may be YAML, and an OpenAPI document', async () => {
    const text = [
      'openapi: 3.1.0',
      'components:',
      '  schemas:',
      '    Pet: { type: object, properties: { name: { type: string } }, required: [name] }',
    ].join('\n');
    const found = await ask({ kind: 'schema', text });
    expect(found).toMatchObject({ problems: '', definitions: ['Pet'] });
    expect(filesOf(found)).toEqual(await generated('schema.yaml', text));
  });

  it.each(['{ type: object, title: Pet }', '\ufeff{ "type": "object", "title": "Pet" }'])(
    'may be in braces as YAML, or begin with the mark of its file: %j',
    async (text) => {
      const found = await ask({ kind: 'value', text, value: '\ufeff{}' });
      expect(found).toEqual({ problems: '', checked: { definition: 'Pet' } });
    },
  );

  it('says what is wrong with it, and generates the rest', async () => {
    const $defs = { Good: { type: 'string' }, Bad: { $ref: '#/$defs/Gone' } };
    const found = await ask({ kind: 'schema', text: json({ $defs }) });
    expect(found.problems).toMatch(
      /^warning\[dangling-ref\]: .*\n {2}--> schema\.json#\/\$defs\/Bad/,
    );
    expect(found.definitions).toEqual(['Bad', 'Good']);
  });

  it('names the definition of a value, and the first reason against it', async () => {
    const $defs = {
      A: { type: 'string' },
      B: { properties: { b: { type: 'null' } }, type: 'object' },
    };
    const text = json({ $defs });
    const value = '{"b":1}';
    const check = (definition?: string): Promise<Answers['value']> =>
      ask({ kind: 'value', text, value, definition });
    expect((await check()).checked?.definition).toBe('A');
    expect((await check('B')).checked).toEqual({
      definition: 'B',
      refusal: { pointer: '/b', reason: 'must be null' },
    });
  });
});

describe('hostile texts', () => {
  it('change the direction of no other text', async () => {
    const text = json({ additionalProperties: { enum: ['\u202e'] } });
    const { checked } = await ask({ kind: 'value', text, value: '{"a\u202e":1}' });
    expect(checked?.refusal?.pointer).toBe(String.raw`/a\u202e`);
    expect(checked?.refusal?.reason).not.toContain('\u202e');
  });

  const DEEP = '['.repeat(1_000_000);
  const closed = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it.each([
    ['deep', DEEP],
    ['deep JSON', closed(100_000)],
    ['deep objects', '{"a":'.repeat(100_000)],
    ['deep YAML', '- '.repeat(100_000)],
    [
      'a bomb of aliases',
      ['a: &a [1,1,1,1,1,1,1,1,1]', 'b: &b [*a,*a,*a,*a,*a,*a,*a,*a]', ...'cdefgh'].join('\n'),
    ],
    ['a number that JavaScript lacks', '{"minimum":1e400}'],
    ['a NUL', '\0'],
    ['a lone surrogate', '"\ud800"'],
    ['nothing', ''],
  ])('%s: is refused or read, without an error of ours', async (_, text) => {
    for (const question of [
      { kind: 'schema', text },
      { kind: 'value', text: '{}', value: text },
      { kind: 'messages', text },
    ] as const) {
      await ask(question).catch((error: Error) => {
        expect(error.name).toBe('EngineError');
      });
    }
  });

  it('are too deep for Firefox by another name of its error', async () => {
    const error = Object.assign(new Error('too much recursion'), { name: 'InternalError' });
    const assets = {
      get policy(): string {
        throw error;
      },
    };
    const asked = answer({ kind: 'messages', text: '{}' }, assets as Assets);
    await expect(asked).rejects.toMatchObject({ name: 'EngineError', cause: error });
  });

  it('have a limit', async () => {
    const text = ' '.repeat(LARGEST);
    await expect(ask({ kind: 'value', text, value: ' ' })).rejects.toThrow(/Keep it in a file/);
  });

  it('change no prototype', async () => {
    const text = '{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}';
    const check = async (value: string): Promise<unknown> =>
      (await ask({ kind: 'value', text, value })).checked?.refusal;
    expect(await check('{"__proto__":"a"}')).toBeUndefined();
    expect(await check('{"__proto__":{"polluted":true}}')).toMatchObject({ pointer: '/__proto__' });
    expect(await check('{}')).toBeDefined();
    await ask({ kind: 'schema', text });
    await ask({
      kind: 'messages',
      text: '{"jsonrpc":"2.0","id":1,"method":"__proto__","__proto__":1}',
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('have patterns that take linear time', async () => {
    const text = json({ type: 'string', pattern: '^(?:a+)+$' });
    const value = json(`${'a'.repeat(50_000)}!`);
    const { checked } = await ask({ kind: 'value', text, value });
    expect(checked?.refusal?.reason).toMatch(/^must match the pattern/);
  });

  it('have alternatives that contain themselves', async () => {
    const one = { items: { $ref: '#' }, type: 'array' };
    const text = json({ anyOf: [one, one, one], ...{ $schema: SCHEMA_URIS['2020-12'] } });
    const value = `${'['.repeat(40)}1${']'.repeat(40)}`;
    const { checked } = await ask({ kind: 'value', text, value });
    expect(checked?.refusal?.reason).toBe('takes too many steps to check here');
  });
});
