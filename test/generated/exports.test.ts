import { Node, Project, SyntaxKind } from 'ts-morph';
import type { ExportedDeclarations } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import { loadRevision, REVISIONS } from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';
import { generatedFiles } from '../support/generated.js';
import { sampled } from '../support/size.js';

const project = new Project({ useInMemoryFileSystem: true });

function exportsOf(revision: Revision, file: string): ReadonlyMap<string, ExportedDeclarations[]> {
  const text = generatedFiles(revision)[file] ?? '';
  return project
    .createSourceFile(`${revision}/${file}`, text, { overwrite: true })
    .getExportedDeclarations();
}

function documented(declaration: ExportedDeclarations | undefined): boolean {
  const owner = Node.isVariableDeclaration(declaration)
    ? declaration.getVariableStatement()
    : declaration;
  return Node.isJSDocable(owner) && owner.getJsDocs().length > 0;
}

describe.each(sampled(REVISIONS, 2))('%s', (revision) => {
  const names = [...loadRevision(revision).document.definitions.keys()].sort();

  it.each([
    ['types.ts', (name: string): string => name],
    ['zod.ts', (name: string): string => `${name}Schema`],
  ])('%s exports every definition once, documented', (file, exported) => {
    const declarations = exportsOf(revision, file);
    expect([...declarations.keys()].sort()).toEqual(names.map(exported).sort());
    for (const [name, found] of declarations) {
      expect(found, name).toHaveLength(1);
      expect(documented(found[0]), name).toBe(true);
    }
  });

  it('runs no code when it is imported', () => {
    for (const [file, text] of Object.entries(generatedFiles(revision))) {
      const source = project.createSourceFile(`x/${revision}/${file}`, text, { overwrite: true });
      expect(source.getDefaultExportSymbol(), file).toBeUndefined();
      expect(source.getDescendantsOfKind(SyntaxKind.EnumDeclaration), file).toEqual([]);
      expect(source.getDescendantsOfKind(SyntaxKind.ModuleDeclaration), file).toEqual([]);
      for (const statement of source.getStatements()) {
        expect(statement.getKindName(), file).not.toBe('ExpressionStatement');
      }
    }
  });
});
