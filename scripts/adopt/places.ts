import ts from 'typescript';
import type { JsonObject } from './read-schema.js';

/** The line, from 1, on which a member of a JSON text begins; that of the closest one that exists. */
export function lineOf(json: string, path: readonly string[]): number {
  const file = ts.parseJsonText('schema.json', json);
  let node: ts.Node | undefined = file.statements[0]?.expression;
  let start = 0;
  for (const key of path) {
    if (!node || !ts.isObjectLiteralExpression(node)) break;
    const member = node.properties.find(
      (each): each is ts.PropertyAssignment =>
        ts.isPropertyAssignment(each) && ts.isStringLiteral(each.name) && each.name.text === key,
    );
    if (!member) break;
    start = member.getStart(file);
    node = member.initializer;
  }
  return file.getLineAndCharacterOfPosition(start).line + 1;
}

/**
 * The line, from 1, of the first object in TypeScript that has the keys of `value`, and its texts; 1 where there is
 * none. Values that are no texts may be written in any way.
 */
export function lineOfObject(code: string, value: JsonObject): number {
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest);
  const keys = Object.keys(value).sort().join();
  const isWanted = ({ properties }: ts.ObjectLiteralExpression): boolean => {
    const members = properties.filter((each) => ts.isPropertyAssignment(each));
    const name = (each: ts.PropertyAssignment): string => each.name.getText(file);
    return (
      members.map(name).sort().join() === keys &&
      members.every((each) => {
        const wanted = value[name(each)];
        const { initializer } = each;
        return ts.isStringLiteral(initializer)
          ? initializer.text === wanted
          : typeof wanted !== 'string';
      })
    );
  };
  const find = (node: ts.Node): ts.Node | undefined =>
    ts.isObjectLiteralExpression(node) && isWanted(node) ? node : ts.forEachChild(node, find);
  const start = find(file)?.getStart(file) ?? 0;
  return file.getLineAndCharacterOfPosition(start).line + 1;
}

/** The line, from 1, of the first place of a text; 1 where it is nowhere. */
export function lineWith(text: string, part: string): number {
  const index = text.indexOf(part);
  return index < 0 ? 1 : text.slice(0, index).split('\n').length;
}
