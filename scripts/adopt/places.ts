import ts from 'typescript';

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

/** The line, from 1, of the first place of a text; 1 where it is nowhere. */
export function lineWith(text: string, part: string): number {
  const index = text.indexOf(part);
  return index < 0 ? 1 : text.slice(0, index).split('\n').length;
}
