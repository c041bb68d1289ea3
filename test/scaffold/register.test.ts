import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { declareFor } from '../../generator/scaffold/declare.js';
import { register } from '../../generator/scaffold/register.js';
import type { ListName } from '../../generator/scaffold/register.js';
import { sampled } from '../support/size.js';

const LISTS = {
  empty: 'export const tools = []',
  'one line': 'export const tools = [ a,b ]',
  'one line with a comma': 'export const tools = [a, b,]',
  'typed and frozen': 'export const tools: readonly Tool[] = [a] as const',
  'lines with comments': 'export const tools = [\n    a, // first\n    /* second */ b // last\n]',
  lines: 'export const tools = [\n  a,\n  b\n]',
  'lines with commas': 'export const tools = [\n\ta,\n\tb, // last, and a ]\n\n]',
  'a name for the array': 'const list = [\n  a,\n]\nexport { list as tools }',
  'a name for the array, and its type': 'const list = [a, b]\nexport const tools: Tool[] = (list)',
  'a comment of two lines': 'export const tools = [\n  a, /* first\n  of all */\n]',
  'two members on a line': 'export const tools = [\n  a, b,\n  c, d // last\n]',
  'a comment on the first line': 'export const tools = [ // all\n   a,\n   b,\n]',
};
const IMPORTS = {
  none: '',
  'a byte order mark and no imports': '\uFEFF',
  'a program without imports': '#!/usr/bin/env node\n',
  'a comment of two lines': "import { a } from './a.js' /* mine,\n mine */;\n",
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

const FILE = 'src/tools/index.ts';
const added = (text: string, list: ListName = 'tools', file = FILE): Promise<string> =>
  register({ file, text, list, module: './look-up.js', local: 'lookUp' });

describe('a list of tools that the user formats', () => {
  it.each(sampled(files, 33))('gets a tool, and nothing else: $title', async ({ text, end }) => {
    const after = await added(text);
    expect(membersOf(after)).toEqual([...membersOf(text), 'lookUp']);
    expect(contains(after, text)).toBe(true);
    const length = after.length - text.length;
    expect(length).toBeLessThan(`import { lookUp } from './look-up.js';, lookUp,`.length + 15);
    expect(ts.transpileModule(after, { reportDiagnostics: true }).diagnostics).toEqual([]);
    expect(after.replaceAll(end, '')).not.toMatch(/[\r\n]/);
    expect(await added(after)).toBe(after);
  });

  it('stays formatted when it is', async () => {
    const text = `import { a } from './a.js';\n\nexport const tools = [a];\n`;
    expect(await added(text)).toBe(
      `import { a } from './a.js';\nimport { lookUp } from './look-up.js';\n\nexport const tools = [a, lookUp];\n`,
    );
  });
});

describe('a definition', () => {
  const DEFINITIONS = {
    'has the list': 'defineServer({ name: "shop", tools: [a] })',
    'has a variable': 'const tools = [a]\nrunServer({ server: defineServer({ tools }) })',
    'has a variable of another name': 'const all = [a];\ncreateTaskServer({ tools: all });',
    'is a variable': 'const shop = { tools: [a] }\ndefineServer(shop)',
    'is called otherwise':
      "import { defineServer as define } from '@mcp-codegen/runtime/server'\ndefine({ tools: [a] })",
  };
  it.each(Object.entries(DEFINITIONS))('that %s gets a tool', async (_, text) => {
    const after = await added(`${text}\n`, 'tools', 'src/main.ts');
    expect(after).toContain('[a, lookUp]');
    expect(contains(after, text)).toBe(true);
  });

  it.each([
    ['defineServer({\n\ttools, // all\n\tname,\n})', '\tname,\n\tresources: [lookUp],\n})'],
    ['defineServer({\n  name,\n  tools\n})', '  tools,\n  resources: [lookUp]\n})'],
    ['defineServer({ tools })', 'defineServer({ tools, resources: [lookUp] })'],
  ])('without the list gets one: %s', async (text, expected) => {
    const after = await added(text, 'resources', 'src/main.ts');
    expect(after).toContain(expected);
    expect(contains(after, text)).toBe(true);
  });

  it.each(['', 'const a = b, b = a; export const tools = a;', 'export const tools = make();'])(
    'that is not to be found is named: %j',
    async (text) => {
      await expect(added(text)).rejects.toThrow('src/tools/index.ts has no array named tools.');
    },
  );

  it.each([
    "import { lookUp } from './other.js';",
    "import * as lookUp from './other.js';",
    'const { a: [lookUp] } = b;',
    'function lookUp() {}',
  ])('whose file uses the name for something else is not changed: %s', async (text) => {
    const list = `${text}\nexport const tools = [];\n`;
    await expect(added(list)).rejects.toThrow('already uses the name "lookUp" for something else');
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
  const after = await declareFor({ task: true, ask: true, progress: false }, 'src/server.ts', text);
  expect(after).toContain('elicitation');
  expect(after).toContain(`// mine${end}    tools: [ ],${end}})`);
  expect(after.replaceAll(end, '')).not.toMatch(/[\r\n]/);
});

it('a file that does not parse is named, with the line', async () => {
  const flawed = '// mine\nexport const tools = [;\n';
  await expect(added(flawed)).rejects.toThrow(
    /^src\/tools\/index\.ts has a syntax error in line 2: /,
  );
  const traits = { task: true, ask: true, progress: false };
  await expect(declareFor(traits, 'src/server.ts', flawed)).rejects.toThrow(
    /^src\/server\.ts has a syntax error/,
  );
});
