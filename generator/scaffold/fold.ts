import { ts } from 'ts-morph';
import { applyEdits, endOfMember, parse, startWithComments } from './edit.js';
import type { Edit, Source } from './edit.js';
import type { Features } from './template.js';

/** The template file that defines `feature` for running the template itself. */
const FEATURE_MODULE = /\/feature\.js$/;

/**
 * Evaluates every condition on `feature.x`. It keeps the taken branch of an `if` or a conditional
 * expression, and the properties of `...(feature.x && { … })`.
 *
 * @throws for any other use of `feature`.
 */
export function fold(text: string, features: Features): string {
  if (!text.includes('feature')) return text;
  let folded = text;
  for (;;) {
    const source = parse(folded);
    if (!importsFeature(source)) return folded;
    const edits = editsOf(source, features);
    if (edits.length === 0) return complete(source);
    folded = applyEdits(folded, edits);
  }
}

function importsFeature(source: Source): boolean {
  return source.statements.some(
    (each) =>
      ts.isImportDeclaration(each) &&
      ts.isStringLiteral(each.moduleSpecifier) &&
      FEATURE_MODULE.test(each.moduleSpecifier.text),
  );
}

/** Evaluates the outermost conditions. The next pass evaluates the inner ones. */
function editsOf(source: Source, features: Features): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    const edit = editOf(source, node, features);
    if (edit) edits.push(edit);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return edits;
}

function editOf(source: Source, node: ts.Node, features: Features): Edit | undefined {
  if (ts.isIfStatement(node)) return ifEdit(source, node, features);
  if (ts.isConditionalExpression(node)) {
    const taken = evaluate(node.condition, features);
    if (taken === undefined) return undefined;
    const branch = taken ? node.whenTrue : node.whenFalse;
    return { start: node.getStart(source), end: node.end, text: branch.getText(source) };
  }
  if (ts.isSpreadAssignment(node)) return spreadEdit(source, node, features);
  return ts.isBinaryExpression(node) ? simplify(source, node, features) : undefined;
}

function ifEdit(source: Source, node: ts.IfStatement, features: Features): Edit | undefined {
  const taken = evaluate(node.expression, features);
  if (taken === undefined) return undefined;
  const branch = taken ? node.thenStatement : node.elseStatement;
  const { parent, end } = node;
  const edit = (start: number, text: string): Edit => ({ start, end, text });
  if (ts.isBlock(parent) || ts.isSourceFile(parent)) {
    if (!branch) return edit(startWithComments(source, node), '');
    return edit(node.getStart(source), statements(source, branch));
  }
  if (branch) return edit(node.getStart(source), branch.getText(source));
  const isElse = ts.isIfStatement(parent) && parent.elseStatement === node;
  return isElse ? edit(parent.thenStatement.end, '') : edit(node.getStart(source), '{}');
}

function spreadEdit(
  source: Source,
  node: ts.SpreadAssignment,
  features: Features,
): Edit | undefined {
  const inner = bare(node.expression);
  if (!ts.isBinaryExpression(inner) || !isAnd(inner)) return undefined;
  const held = evaluate(inner.left, features);
  if (held === undefined) return undefined;
  if (!held) {
    const start = startWithComments(source, node);
    return { start, end: endOfMember(source, node), text: '' };
  }
  const value = bare(inner.right);
  if (!ts.isObjectLiteralExpression(value)) return undefined;
  const properties = value.properties.map((each) => each.getFullText(source)).join(',');
  return { start: node.getStart(source), end: node.end, text: properties.trim() };
}

/** `known && rest` is `rest`, where it is not `false`; the same for `||`. */
function simplify(source: Source, node: ts.BinaryExpression, features: Features): Edit | undefined {
  if (!isAnd(node) && !isOr(node)) return undefined;
  const edit = (text: string): Edit => ({ start: node.getStart(source), end: node.end, text });
  const whole = evaluate(node, features);
  if (whole !== undefined) return edit(String(whole));
  const sides = [node.left, node.right];
  const open = sides.filter((side) => evaluate(side, features) === undefined);
  return open[0] && open.length === 1 ? edit(open[0].getText(source)) : undefined;
}

/** `undefined` when it does not depend on features only. */
function evaluate(written: ts.Expression, features: Features): boolean | undefined {
  const node = bare(written);
  if (ts.isPropertyAccessExpression(node)) {
    const isFeature = ts.isIdentifier(node.expression) && node.expression.text === 'feature';
    return isFeature ? features.has(node.name.text) : undefined;
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    const inner = evaluate(node.operand, features);
    return inner === undefined ? undefined : !inner;
  }
  if (!ts.isBinaryExpression(node) || !(isAnd(node) || isOr(node))) return undefined;
  const sides = [evaluate(node.left, features), evaluate(node.right, features)];
  const decisive = isOr(node);
  if (sides.includes(decisive)) return decisive;
  return sides.includes(undefined) ? undefined : !decisive;
}

function isAnd({ operatorToken }: ts.BinaryExpression): boolean {
  return operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
}

function isOr({ operatorToken }: ts.BinaryExpression): boolean {
  return operatorToken.kind === ts.SyntaxKind.BarBarToken;
}

function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? bare(node.expression) : node;
}

/** The content of a block with comments, which replaces the `if`. */
function statements(source: Source, branch: ts.Statement): string {
  if (!ts.isBlock(branch)) return branch.getText(source);
  return source.text.slice(branch.getStart(source) + 1, branch.end - 1).trim();
}

function complete(source: Source): string {
  const visit = (node: ts.Node): void => {
    const uses = ts.isIdentifier(node) && node.text === 'feature';
    if (uses && !ts.isImportSpecifier(node.parent)) {
      throw new Error(`feature is used in a way that cannot be folded:\n${node.parent.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return source.text;
}
