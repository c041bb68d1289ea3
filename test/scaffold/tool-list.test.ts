import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { declareFor } from '../../generator/scaffold/declare.js';
import { register } from '../../generator/scaffold/tool-list.js';

const LISTS = {
  empty: 'export const tools = []',
  'one line': 'export const tools = [ a,b ]',
  'one line with a comma': 'export const tools = [a, b,]',
  'typed and frozen': 'export const tools: readonly Tool[] = [a] as const',
  'lines with comments': 'export const tools = [\n    a, // first\n    /* second */ b // last\n]',
  'lines with commas': 'export const tools = [\n\ta,\n\tb, // last, and a ]\n\n]',
  'a comment on the first line': 'export const tools = [ // all\n   a,\n   b,\n]',
};
const IMPORTS = {
  none: '',
  'single quotes': "import { a } from './a.js';\nimport { b } from './b.js';\n",
  'double quotes, no semicolons': 'import {a} from "./a.js"\nimport { b } from "./b.js" // mine\n',
};
const files = Object.entries(LISTS).flatMap(([list, code]) =>
  Object.entries(IMPORTS).flatMap(([imports, head]) =>
    ['\n', '\r\n'].map((end) => {
      const text = `${head}\n// mine\n${code}\n\nexport const other = {a:1,b:[2]}\n`;
      const title = `${list}, imports: ${imports}, line ends: ${JSON.stringify(end)}`;
      return { title, end, text: text.replaceAll('\n', end) };
    }),
  ),
);

/** Whether a text came about by insertions alone. */
function contains(after: string, before: string): boolean {
  let found = 0;
  for (const character of after) if (character === before[found]) found += 1;
  return found === before.length;
}

function membersOf(text: string): string[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  const lists: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) lists.push(node.elements.map((each) => each.getText()));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lists[0] ?? [];
}

describe('a list of tools that the user formats', () => {
  it.each(files)('gets a tool, and nothing else: $title', async ({ text, end }) => {
    const after = await register(text, 'look-up', 'lookUp');
    expect(membersOf(after)).toEqual([...membersOf(text), 'lookUp']);
    expect(contains(after, text)).toBe(true);
    const added = after.length - text.length;
    expect(added).toBeLessThan(`import { lookUp } from './look-up.js';, lookUp,`.length + 15);
    expect(ts.transpileModule(after, { reportDiagnostics: true }).diagnostics).toEqual([]);
    expect(after.replaceAll(end, '')).not.toMatch(/[\r\n]/);
    expect(await register(after, 'look-up', 'lookUp')).toBe(after);
  });

  it('stays formatted when it is', async () => {
    const text = `import { a } from './a.js';\n\nexport const tools = [a];\n`;
    expect(await register(text, 'look-up', 'lookUp')).toBe(
      `import { a } from './a.js';\nimport { lookUp } from './look-up.js';\n\nexport const tools = [a, lookUp];\n`,
    );
  });
});

it.each(['\n', '\r\n'])('a declaration keeps its format and line ends: %j', async (end) => {
  const text = [
    'createTaskServer({',
    '    capabilities: { core: { tasks: {} } }, // mine',
    '    tools: [ ],',
    '})',
    '',
  ].join(end);
  const after = await declareFor({ task: true, ask: true, progress: false }, text);
  expect(after).toContain('elicitation');
  expect(after).toContain(`// mine${end}    tools: [ ],${end}})`);
  expect(after.replaceAll(end, '')).not.toMatch(/[\r\n]/);
});

it('a file that does not parse is named, with the line', async () => {
  const flawed = '// mine\nexport const tools = [;\n';
  await expect(register(flawed, 'look-up', 'lookUp')).rejects.toThrow(
    /^src\/tools\/index\.ts has a syntax error in line 2: /,
  );
  const traits = { task: true, ask: true, progress: false };
  await expect(declareFor(traits, flawed)).rejects.toThrow(/^src\/server\.ts has a syntax error/);
});
