import ts from 'typescript';

/**
 * The exports of each built entry: declarations without comments and bodies, sorted.
 *
 * @param entries Paths of declaration files, as the build writes them.
 */
export function surfaceOf(entries: readonly string[]): Map<string, string[]> {
  const program = ts.createProgram([...entries], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  return new Map(
    entries.map((entry) => {
      const source = program.getSourceFile(entry);
      const module = source && checker.getSymbolAtLocation(source);
      if (!module) throw new Error(`${entry} is not built or exports nothing: run npm run build`);
      const exported = checker.getExportsOfModule(module).flatMap((each) => print(each, checker));
      return [entry, exported.sort()];
    }),
  );
}

const printer = ts.createPrinter({ removeComments: true });

function print(exported: ts.Symbol, checker: ts.TypeChecker): string[] {
  const symbol =
    exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  return (symbol.declarations ?? []).map((each) => {
    const node = ts.isVariableDeclaration(each) ? each.parent.parent : each;
    return printer
      .printNode(ts.EmitHint.Unspecified, node, each.getSourceFile())
      .replace(/^export /, '')
      .replace(/^declare /, '');
  });
}
