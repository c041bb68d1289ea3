import { ts } from 'ts-morph';
import { quote } from '../diagnostics/index.js';
import { applyEdits, checkSyntax, endOfMember, formattedLike, lineEndOf, parse } from './edit.js';
import type { Edit, Source } from './edit.js';
import { ScaffoldError, TOOL_LIST } from './template.js';

/** Adds a tool to the list. A file that is formatted as ours stays so; in any other, nothing else changes. */
export async function register(text: string, module: string, local: string): Promise<string> {
  checkSyntax(TOOL_LIST, text);
  const source = parse(text);
  const list = toolsIn(source);
  if (!list) {
    throw new ScaffoldError(
      `${TOOL_LIST} has no array named tools.`,
      `Add to ${TOOL_LIST}: export const tools = [];`,
    );
  }
  const imports = source.statements.filter(ts.isImportDeclaration);
  const isImported = imports.some(
    ({ moduleSpecifier: from }) => ts.isStringLiteral(from) && from.text === `./${module}.js`,
  );
  if (isImported) return text;
  if (imports.flatMap(namesOf).includes(local)) {
    throw new ScaffoldError(
      `${TOOL_LIST} already imports another ${quote(local)}.`,
      'Give the tool another name.',
    );
  }
  const added = applyEdits(text, [
    importOf(source, imports, module, local),
    ...member(source, list, local),
  ]);
  return await formattedLike(text, added);
}

function toolsIn(source: Source): ts.ArrayLiteralExpression | undefined {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || name.text !== 'tools' || !initializer) continue;
      const value =
        ts.isAsExpression(initializer) || ts.isSatisfiesExpression(initializer)
          ? initializer.expression
          : initializer;
      if (ts.isArrayLiteralExpression(value)) return value;
    }
  }
  return undefined;
}

function namesOf({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name }) => name.text)
    : [];
}

/** An import after the last one, written like it. */
function importOf(
  source: Source,
  imports: readonly ts.ImportDeclaration[],
  module: string,
  local: string,
): Edit {
  const last = imports.at(-1);
  const like = last?.getText(source) ?? "';";
  const quotes = like.includes('"') ? '"' : "'";
  const line = `import { ${local} } from ${quotes}./${module}.js${quotes}${like.endsWith(';') ? ';' : ''}`;
  const end = lineEndOf(source.text);
  if (last) return { start: last.end, end: last.end, text: end + line };
  return { start: 0, end: 0, text: line + end };
}

/** A last member of a list, on a line of its own where the others are. */
function member(source: Source, list: ts.ArrayLiteralExpression, local: string): Edit[] {
  const last = list.elements.at(-1);
  if (!last)
    return [{ start: list.getStart(source) + 1, end: list.getStart(source) + 1, text: local }];
  const { text } = source;
  const comma = list.elements.hasTrailingComma;
  const after = endOfMember(source, last);
  if (!/^[^\n]*\n/.test(text.slice(after, list.end))) {
    return [{ start: after, end: after, text: `${comma ? '' : ','} ${local}` }];
  }
  const [indent = ''] = /[ \t]*$/.exec(text.slice(0, last.getStart(source))) ?? [];
  // Its comment stays on its line.
  const [rest = ''] = /^[^\r\n]*/.exec(text.slice(after)) ?? [];
  const end = after + rest.length;
  return [
    ...(comma ? [] : [{ start: last.end, end: last.end, text: ',' }]),
    { start: end, end, text: `${lineEndOf(text)}${indent}${local}${comma ? ',' : ''}` },
  ];
}
