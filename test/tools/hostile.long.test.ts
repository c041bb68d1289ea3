import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { readTools } from '../../generator/tools/index.js';
import { createCompiler } from '../read/compiled.js';
import type { Json } from '../support/corpus/json.js';
import { compileWith, typeScriptVersions } from '../support/ts-compile.js';
import { toolModules } from './modules.js';

/** Texts that try to inject code, or to have ours not compile. */
const TRICKS = [
  '*/ globalThis.pwned = true; /*',
  '`${globalThis.pwned = true}`',
  "'; globalThis.pwned = true; '",
  '"; globalThis.pwned = true; "',
  '\\',
  '\\u002a/ globalThis.pwned = true;',
  '\u2028globalThis.pwned = true;//',
  '\r\nglobalThis.pwned = true;//',
  '\u0000\u0007\u202e\u2066',
  '@ts-ignore',
  '// @ts-nocheck',
  'prettier-ignore',
  '#__PURE__',
  '__proto__',
  'constructor',
  'prototype',
  'then',
  'client',
  'args',
  'Promise',
  'ToolCaller',
  'structured',
  'create tools',
  '\ud800',
];

const schemaOf = (text: string): Json =>
  JSON.parse(
    JSON.stringify({
      $id: text,
      title: text,
      description: text,
      type: 'object',
      properties: {
        PLACE: { type: 'string', description: text, default: text, tsType: text },
        literal: { const: text },
        object: { const: { PLACE: text } },
        choice: { enum: [text, [text], `${text}!`] },
        ref: { $ref: '#/$defs/PLACE' },
        lost: { $ref: `#/$defs/${text}/${text}` },
        far: { $ref: `http://127.0.0.1:9/${text}` },
        index: { type: 'object', patternProperties: { PLACE: { const: text } } },
      },
      required: [text, 'literal'],
      $defs: { PLACE: { type: 'object', properties: { again: { $ref: '#/$defs/PLACE' } } } },
    }).replaceAll('PLACE', JSON.stringify(text).slice(1, -1)),
  ) as Json;

const listed: Json[] = [
  ...TRICKS.map((text) => ({
    name: text,
    title: text,
    description: `${text}\n${text}`,
    inputSchema: schemaOf(text),
    outputSchema: schemaOf(text),
  })),
  ...TRICKS.map((text) => ({ name: `${text}_`, inputSchema: { type: 'object' } })),
];

/** As many combinations as are let through, of a value and of a property. */
const choices = [...'abc'].map((letter) => ({
  anyOf: Array.from({ length: 9 }, (_, index) => ({
    type: 'object',
    properties: { [letter + String(index)]: { type: 'string' } },
    required: [letter + String(index)],
  })),
}));
listed.push(
  { name: 'combines', inputSchema: { type: 'object', allOf: choices } },
  {
    name: 'combines within',
    inputSchema: {
      type: 'object',
      allOf: choices.map((same) => ({ type: 'object', properties: { same } })),
    },
  },
);

const { tools, diagnostics } = readTools(listed);
const modules = await toolModules(tools);
const text = modules['tools.ts'] ?? '';

it('warns about references that it does not resolve', () => {
  expect(tools).toHaveLength(listed.length);
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(
    new Set(['renamed-tool', 'remote-ref', 'dangling-ref', 'bad-name', 'malformed-keyword']),
  );
});

it.each(typeScriptVersions)('compiles under TypeScript %s', async (version) => {
  expect(await compileWith(version, modules)).toEqual([]);
});

it('runs no injected code and calls each tool by its own name', async () => {
  const { code } = transformSync(text, { loader: 'ts', format: 'esm' });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    createTools: (client: object) => Record<string, (args: object) => Promise<unknown>>;
  };
  const called: string[] = [];
  const made = module.createTools({
    call: (name: string) =>
      Promise.resolve(called.push(name)).then(() => ({ structuredContent: 1 })),
  });
  expect(Object.keys(made).every((key) => /^[a-z][A-Za-z0-9]*$/.test(key))).toBe(true);
  for (const { name, identifier } of tools) {
    await made[identifier]?.({});
    expect(called.pop()).toBe(name);
  }
  expect(await Promise.resolve(made)).toBe(made);
  expect('pwned' in globalThis).toBe(false);
});

it('runs no injected code in the checks', async () => {
  const compiler = createCompiler();
  const { toolChecks } = (await compiler.load(modules['tools/validators.ts'] ?? '')) as {
    toolChecks: ReadonlyMap<string, { input: (value: unknown) => { ok: boolean } }>;
  };
  compiler.remove();
  expect([...toolChecks.keys()]).toEqual(tools.map(({ name }) => name));
  for (const { input } of toolChecks.values()) expect(input(7).ok).toBe(false);
  expect('pwned' in globalThis).toBe(false);
});

it('contains no invisible characters', () => {
  const all = Object.values(modules).join('');
  expect(all.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066]/u);
});
