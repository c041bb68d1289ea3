import ts from 'typescript';

/** One small fault in a source file, as a replacement of text. */
export interface Mutant {
  /** From the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly kind: 'boundary' | 'condition' | 'literal' | 'operator' | 'return' | 'statement';
}

type Edit = Pick<Mutant, 'kind' | 'replacement'> & { readonly node: ts.Node };

const OPERATORS: Readonly<Record<string, readonly [kind: Mutant['kind'], other: string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['condition', '!=='],
  '!==': ['condition', '==='],
  '&&': ['condition', '||'],
  '||': ['condition', '&&'],
  '+': ['operator', '-'],
  '-': ['operator', '+'],
  '*': ['operator', '/'],
};

/** All mutants of a file, in the order of its text. Types, imports and the texts of thrown errors are not changed. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    for (const { node: replaced, ...edit } of editsOf(node)) {
      const start = replaced.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ file, line, start, end: replaced.getEnd(), ...edit });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export function applied(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function isLeftAlone(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    (ts.isNewExpression(node) && /Error$/.test(node.expression.getText()))
  );
}

function editsOf(node: ts.Node): Edit[] {
  if (ts.isBinaryExpression(node)) return binary(node);
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  if (ts.isReturnStatement(node)) return nothing(node.expression);
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : nothing(node.body);
  if (ts.isExpressionStatement(node)) return [{ node, kind: 'statement', replacement: ';' }];
  return literal(node);
}

function binary({ left, operatorToken, right }: ts.BinaryExpression): Edit[] {
  const known = OPERATORS[operatorToken.getText()];
  // A sum with text as a part is no arithmetic.
  const isText = [left, right].some((each) => ts.isStringLiteralLike(each));
  if (!known || (known[0] === 'operator' && isText)) return [];
  return [{ node: operatorToken, kind: known[0], replacement: known[1] }];
}

const negated = (node: ts.Expression): Edit => ({
  node,
  kind: 'condition',
  replacement: `!(${node.getText()})`,
});

/** Of `undefined` and of truth values this is no fault that a caller sees; those are literals, too. */
function nothing(node?: ts.Node): Edit[] {
  if (!node || /^(?:undefined|true|false)$/.test(node.getText())) return [];
  return [{ node, kind: 'return', replacement: 'undefined' }];
}

function literal(node: ts.Node): Edit[] {
  const to = (replacement: string): Edit[] => [{ node, kind: 'literal', replacement }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return to('false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) return to('true');
  if (ts.isNumericLiteral(node)) return isName(node) ? [] : to(`(${node.getText()} + 1)`);
  if (ts.isTemplateExpression(node)) return to("''");
  if (!ts.isStringLiteralLike(node) || isName(node)) return [];
  return to(node.text === '' ? "'mutant'" : "''");
}

/** Whether a literal names a property, so that it is no value. */
const isName = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) || ts.isMethodDeclaration(node.parent)) &&
  node.parent.name === node;
