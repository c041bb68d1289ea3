import { dirname, relative } from 'node:path';
import ts from 'typescript';
import { code } from './markdown.js';

const INTRO = `# The programmatic API

The exports of the package \`mcp-codegen\`, written by \`npm run docs\` from the docstrings in the code.
[generating.md](generating.md) describes the same for the command line. The exports of \`@mcp-codegen/runtime\` are in
[api-surface.md](api-surface.md).
`;

/** These rooms describe whole protocols. Types that only they use are not listed. */
const MODELS = /\/(?:ir|diff)\//;

/** A declaration of a \`.d.ts\` file, with its docstring. */
interface Declared {
  readonly name: string;
  readonly kind: 'function' | 'value' | 'type';
  readonly doc: string;
  readonly text: string;
  readonly path: string;
}

/** The text of `docs/api.md`: what the module at `entry` exports, and the types that these exports name. */
export function apiPage(entry: string): string {
  const program = ts.createProgram([entry], OPTIONS);
  const checker = program.getTypeChecker();
  const module = program.getSourceFile(entry);
  const symbol = module && checker.getSymbolAtLocation(module);
  if (!symbol) throw new Error(`${entry} exports nothing`);
  const symbols = checker.getExportsOfModule(symbol).map((each) => aliased(each, checker));
  const texts = declarationsOf(program);
  const textOf = (each: ts.Symbol): Declared[] => texts.get(idOf(each)) ?? [];
  const exported = symbols.flatMap(textOf);
  const of = (kind: Declared['kind']): string[] =>
    exported.filter((each) => each.kind === kind).map((each) => section(each, entry));
  return [
    INTRO,
    docOf(module, module.statements[0]),
    '',
    ...['## Functions and classes\n', ...of('function')],
    ...['## Constants\n', ...of('value')],
    ...['## Types\n', ...of('type')],
    ...[
      '## Types that others name\n',
      'The declarations above contain these types. The package does not export them.\n',
    ],
    ...typesNamedBy(symbols, checker)
      .flatMap(textOf)
      .map((each) => section(each, entry)),
  ].join('\n');
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  resolveJsonModule: true,
};

const aliased = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

const placeOf = (symbol: ts.Symbol): string =>
  symbol.declarations?.[0]?.getSourceFile().fileName ?? '';

/** A type and a value of one name have one symbol, so both are found by it. */
const idOf = (symbol: ts.Symbol): string => `${placeOf(symbol)} ${symbol.name}`;

function section({ name, doc, text, path }: Declared, entry: string): string {
  const source = relative(dirname(dirname(entry)), path);
  const link = `Source: [${source}](../${source})`;
  const declared = `\`\`\`ts declaration\n${text}\n\`\`\``;
  return [`### ${code(name)}`, doc, declared, link, ''].filter((each) => each !== '').join('\n\n');
}

/** The types that declarations name, and those that these types name, without the exported ones. */
function typesNamedBy(exported: readonly ts.Symbol[], checker: ts.TypeChecker): ts.Symbol[] {
  const found = new Set(exported);
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    const symbol = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
    const type = symbol && aliased(symbol, checker);
    if (type && isOwnType(type)) found.add(type);
    ts.forEachChild(node, visit);
  };
  for (const each of found) {
    if (!MODELS.test(placeOf(each))) each.declarations?.forEach(visit);
  }
  return [...found].filter((each) => !exported.includes(each));
}

function isOwnType(symbol: ts.Symbol): boolean {
  const isType = symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias);
  return isType !== 0 && !/node_modules/.test(placeOf(symbol)) && !MODELS.test(placeOf(symbol));
}

/** The declarations of the program's own modules, as the compiler writes them. */
function declarationsOf(program: ts.Program): Map<string, Declared[]> {
  const found = new Map<string, Declared[]>();
  program.emit(undefined, (_, text, __, ___, sources) => {
    const path = sources?.[0]?.fileName ?? '';
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    for (const each of file.statements.flatMap((node) => declared(node, file, path))) {
      const id = `${path} ${each.name}`;
      found.set(id, [...(found.get(id) ?? []), each]);
    }
  });
  return found;
}

function declared(node: ts.Statement, file: ts.SourceFile, path: string): Declared[] {
  const kind = kindOf(node);
  if (kind === undefined) return [];
  const names = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
  const text = node.getText(file).replace(/^export (?:declare )?|^declare /, '');
  return names.map((each) => ({
    name: (each as ts.NamedDeclaration).name?.getText(file) ?? '',
    ...{ kind, path, text, doc: docOf(file, node) },
  }));
}

function kindOf(node: ts.Statement): Declared['kind'] | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return 'function';
  if (ts.isVariableStatement(node)) return 'value';
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? 'type' : undefined;
}

/** The docstring before a statement, as Markdown. */
function docOf(file: ts.SourceFile, node: ts.Node | undefined): string {
  const source = file.text;
  const ranges = ts.getLeadingCommentRanges(source, node?.pos ?? 0) ?? [];
  const comment = ranges.map(({ pos, end }) => source.slice(pos, end)).at(-1) ?? '';
  if (!comment.startsWith('/**')) return '';
  return comment
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, ''))
    .join('\n')
    .trim()
    .replaceAll(/^@throws \{(\w+)\}/gm, 'Throws `$1`:')
    .replaceAll(/^@param (\w+)/gm, '`$1`:');
}
