import ts from 'typescript';

/** The code of one protocol: texts by the paths of files, such as `types.ts`. */
export type Code = Readonly<Record<string, string>>;

/** The statements of a file by the name that each declares, without comments before them. */
type Statements = ReadonlyMap<string, string>;

const FILES = ['types.ts', 'zod.ts', 'validators.ts'] as const;
/** Code that is taken apart, to be compared. */
export type CodeParts = Readonly<Record<(typeof FILES)[number], Statements>>;

export function partsOf(code: Code): CodeParts {
  const parts = FILES.map((file) => [file, statementsIn(file, code[file] ?? '')] as const);
  return Object.fromEntries(parts) as CodeParts;
}

/** The exports of these definitions whose code differs between two protocols, as `file name`. */
export function changedParts(
  before: CodeParts,
  after: CodeParts,
  names: readonly string[],
): string[] {
  const differing = (file: keyof CodeParts, exported: readonly string[]): string[] =>
    exported
      .filter((name) => {
        const text = before[file].get(name);
        return text === undefined || text !== after[file].get(name);
      })
      .map((name) => `${file} ${name}`);
  const validators = differingHelpers(
    before['validators.ts'],
    after['validators.ts'],
    names.flatMap((name) => [`is${name}`, `validate${name}`]),
  );
  return [
    ...differing('types.ts', names),
    ...differing(
      'zod.ts',
      names.map((name) => `${name}Schema`),
    ),
    ...validators.map((name) => `validators.ts ${name}`),
  ];
}

/**
 * Equal definitions share the function that checks them, which has the name of one of them. So helpers are compared
 * by what they contain, from these exports on.
 */
function differingHelpers(
  before: Statements,
  after: Statements,
  exports: readonly string[],
): string[] {
  const queue = exports.map((name) => ({ old: name, now: name, from: name }));
  const seen = new Set<string>();
  const differing = new Set<string>();
  for (const { old, now, from } of queue) {
    if (seen.has(`${old} ${now}`)) continue;
    seen.add(`${old} ${now}`);
    const [a, b] = [partOf(before, old), partOf(after, now)];
    if (a === undefined || a.skeleton !== b?.skeleton) differing.add(from);
    a?.helpers.forEach((helper, index) => {
      queue.push({ old: helper, now: b?.helpers[index] ?? '', from });
    });
  }
  return [...differing];
}

interface Part {
  /** The tokens, with a mark in the place of each name that the file declares. */
  readonly skeleton: string;
  readonly helpers: readonly string[];
}

function partOf(statements: Statements, name: string): Part | undefined {
  const text = statements.get(name);
  if (text === undefined) return undefined;
  const source = ts.createSourceFile('part.ts', text, ts.ScriptTarget.Latest, true);
  const helpers: string[] = [];
  const tokens: string[] = [];
  for (const token of tokensOf(source)) {
    const isHelper = isReference(token) && statements.has(token.text);
    if (isHelper) helpers.push(token.text);
    tokens.push(isHelper ? '#' : token.getText(source));
  }
  // Where lines break, and so whether a comma ends a list, follows from the lengths of names.
  return { skeleton: tokens.join(' ').replace(/, ([)}\]])/g, '$1'), helpers };
}

function* tokensOf(node: ts.Node): Generator<ts.Node> {
  const children = node.getChildren();
  if (children.length === 0) yield node;
  for (const child of children) yield* tokensOf(child);
}

/** Whether an identifier is no name of a property: `isError` may be one, and a function of the file. */
function isReference(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  const isOfProperty =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertySignature(parent);
  return !(isOfProperty && parent.name === node);
}

function statementsIn(file: string, text: string): Statements {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  for (const statement of source.statements) {
    for (const name of namesOf(statement)) found.set(name, statement.getText(source));
  }
  return found;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}
