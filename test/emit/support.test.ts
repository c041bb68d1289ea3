import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EMITS, emitUnits, supportFor, supportUnits } from '../../generator/emit/index.js';
import { SUPPORT_MODULES } from '../../generator/emit/imports.js';
import { packageRoot, readSupport, REVISIONS } from '../../generator/read/load/index.js';
import { generatedFiles } from '../support/generated.js';
import { protocolOf } from '../support/protocol.js';

const sources = readSupport();

/** The specifiers of a text's imports and re-exports. */
function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The support modules that a text needs, directly or indirectly. */
function closure(specifiers: readonly string[]): string[] {
  const found = new Set<string>();
  const waiting = specifiers.map((each) => each.replace(/^.*\//, '').replace(/\.js$/, '.ts'));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const inner = importsOf(sources.get(name) ?? '').filter((each) => each.startsWith('./'));
    waiting.push(...inner.map((each) => each.slice(2).replace(/\.js$/, '.ts')));
  }
  return [...found].sort();
}

describe('the support modules', () => {
  it('are exactly those that emitters may import', () => {
    expect([...sources.keys()].sort()).toEqual(SUPPORT_MODULES.map((name) => `${name}.ts`).sort());
  });

  it.each([...sources])('%s imports nothing from outside, except Zod in zod.ts', (name, text) => {
    const outside = importsOf(text).filter((each) => !each.startsWith('./'));
    expect(outside).toEqual(name === 'zod.ts' ? ['zod'] : []);
    expect(closure([name])).not.toContain(name === 'zod.ts' ? 'check.ts' : 'zod.ts');
  });

  it.each([...sources])('%s runs no code when it is imported', (name, text) => {
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
    const kinds = source.statements.map((each) => ts.SyntaxKind[each.kind]);
    expect(new Set(kinds).has('ExpressionStatement')).toBe(false);
    expect(text).not.toMatch(/^(?:export )?(?:let|var|class) /m);
  });

  it.each([...sources])('%s exports no name that a definition may have', (name, text) => {
    const exported = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, id]) => id);
    expect(
      exported.filter((id) => /^(?:is|validate|check|shape)(?=[A-Z_$]|$)/.test(id ?? '')),
    ).toEqual(name === 'shapes.ts' ? ['shape'] : []);
  });

  it('are copied unchanged below a header, those that the bundled revisions need', () => {
    const generated = REVISIONS.flatMap((revision) => Object.values(generatedFiles(revision)));
    const units = supportUnits(supportFor(generated), sources);
    for (const { path, text } of units) {
      const name = path.replace('support/', '');
      expect(text.endsWith(`\n\n${sources.get(name) ?? ''}`), path).toBe(true);
      expect(text.split('\n\n')[0]).toMatch(
        /^\/\/ Written by mcp-codegen.*\n\/\* eslint-disable \*\/$/,
      );
      expect(readFileSync(join(packageRoot(), 'generated', path), 'utf8')).toBe(text);
    }
    const written = readdirSync(join(packageRoot(), 'generated/support')).sort();
    expect(units.map(({ path }) => path)).toEqual(written.map((name) => `support/${name}`));
  });

  it.each(DEFAULT_EMITS)('for %s.ts are exactly those that the compiler finds', async (emit) => {
    const small = protocolOf({
      A: { type: 'string', format: 'uri', minLength: 1 },
      B: { uniqueItems: true, contains: { const: 1 }, unevaluatedItems: false },
    });
    const emitted = await emitUnits(small, [emit]);
    const texts = [
      ...REVISIONS.map((revision) => generatedFiles(revision)[`${emit}.ts`] ?? ''),
      ...emitted.map(({ text }) => text),
    ];
    for (const text of texts) {
      const used = importsOf(text).filter((each) => each.startsWith('../'));
      const units = supportUnits(supportFor([text]), sources);
      expect(units.map(({ path }) => path.replace('support/', ''))).toEqual(closure(used));
    }
  });

  it('are not taken from the strings and comments of a schema', async () => {
    const statement = "import { x } from '../support/zod.js';";
    const hostile = protocolOf({
      A: { description: `A\n${statement}\n*/\n${statement}`, const: `\n${statement}\n` },
      B: { type: 'object', properties: { [`"\n${statement}`]: { enum: [statement] } } },
    });
    const units = await emitUnits(hostile, DEFAULT_EMITS);
    for (const { path, text } of units) {
      const used = importsOf(text).filter((each) => each.startsWith('../'));
      expect(supportFor([text]), path).toEqual(
        [...new Set(used.map((each) => each.slice(11).replace('.js', '.ts')))].sort(),
      );
    }
  });

  it('that do not exist are an error of this program', () => {
    expect(() => supportUnits(['none.ts'], sources)).toThrow('There is no support module none.ts.');
  });
});
