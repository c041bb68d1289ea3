import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { EMITS, emitUnits, supportFor, supportUnits } from '../../generator/emit/index.js';
import { SUPPORT_MODULES } from '../../generator/emit/imports.js';
import { packageRoot, readSupport, REVISIONS } from '../../generator/load/index.js';
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

  it('are copied unchanged below a header', () => {
    for (const { path, text } of supportUnits(
      supportFor(EMITS.map((emit) => `${emit}.ts`)),
      sources,
    )) {
      const name = path.replace('support/', '');
      expect(text.endsWith(`\n\n${sources.get(name) ?? ''}`), path).toBe(true);
      expect(text.split('\n\n')[0]).toMatch(
        /^\/\/ Written by mcp-codegen.*\n\/\* eslint-disable \*\/$/,
      );
      expect(readFileSync(join(packageRoot(), 'generated', path), 'utf8')).toBe(text);
    }
  });

  it.each(EMITS)('for %s.ts include everything that it may import', async (emit) => {
    const texts = [
      ...REVISIONS.map((revision) => generatedFiles(revision)[`${emit}.ts`] ?? ''),
      ...(
        await emitUnits(protocolOf({ A: { type: 'string', format: 'uri', minLength: 1 } }), [emit])
      )
        .filter(({ path }) => path === `${emit}.ts`)
        .map(({ text }) => text),
    ];
    const needed = supportFor([`x/${emit}.ts`]);
    const used = texts.flatMap((text) => importsOf(text).filter((each) => each.startsWith('../')));
    expect(needed).toEqual(expect.arrayContaining(closure(used)));
    expect(closure(needed)).toEqual(needed);
  });
});
