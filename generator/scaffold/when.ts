import { ts } from 'ts-morph';
import { applyEdits, commentsBefore, endOfMember, parse } from './edit.js';
import type { Edit, Source } from './edit.js';
import type { Features } from './template.js';

/** `@when http bearer` needs all of these features. */
const TAG = /(\n[ \t]*\*)?[ \t]*@when((?: [\w.-]+)+)/;

/**
 * Removes a node with a comment `@when <feature>` right before it, unless the feature is chosen: a
 * statement, or a member of a class, a type, an object, a parameter's pattern, a list, an import or an export.
 *
 * @throws for a mark before any other node.
 */
export function keepWhen(text: string, features: Features): string {
  if (!text.includes('@when')) return text;
  const source = parse(text);
  const edits: Edit[] = [];
  const met = new Set<number>();
  const visit = (node: ts.Node): void => {
    const mark = isMember(node) ? markOf(source, node) : undefined;
    if (mark && !met.has(mark.comment.pos)) {
      met.add(mark.comment.pos);
      const kept = mark.features.every((feature) => features.has(feature));
      if (!kept) {
        edits.push({ start: mark.comment.pos, end: endOfMember(source, node), text: '' });
        return;
      }
      edits.push(withoutMark(source, mark));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const rest = applyEdits(text, edits);
  if (rest.includes('@when')) throw new Error(`@when before nothing that can go:\n${rest}`);
  return rest;
}

interface Mark {
  readonly comment: ts.CommentRange;
  readonly features: readonly string[];
}

function markOf(source: Source, node: ts.Node): Mark | undefined {
  for (const comment of commentsBefore(source, node)) {
    const [, , words] = TAG.exec(source.text.slice(comment.pos, comment.end)) ?? [];
    if (words) return { comment, features: words.trim().split(' ') };
  }
  return undefined;
}

function withoutMark(source: Source, { comment: { pos, end } }: Mark): Edit {
  const rest = source.text.slice(pos, end).replace(TAG, '');
  const empty = /^\/\/\s*$|^\/\*[\s*]*\/$/.test(rest);
  return { start: pos, end, text: empty ? '' : rest };
}

/** Whether a node can be removed from its parent. */
function isMember(node: ts.Node): boolean {
  const { parent } = node as { parent?: ts.Node };
  if (parent === undefined) return false;
  if (ts.isSourceFile(parent) || ts.isBlock(parent)) return ts.isStatement(node);
  return (
    ts.isObjectLiteralExpression(parent) ||
    ts.isObjectBindingPattern(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isNamedImports(parent) ||
    ts.isNamedExports(parent) ||
    ((ts.isInterfaceDeclaration(parent) || ts.isTypeLiteralNode(parent)) &&
      ts.isTypeElement(node)) ||
    (ts.isClassLike(parent) && ts.isClassElement(node))
  );
}
