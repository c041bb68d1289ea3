import { describe, expect, it } from 'vitest';

import { parseCommandLine } from '../../cli/parse.js';
import { asCommonJs, callsIn, pages, snippetsIn } from './snippets.js';

const snippets = pages().flatMap((page) => snippetsIn(page));
const titled = (language: string) =>
  snippets
    .filter((snippet) => snippet.language === language)
    .map((snippet) => [`${snippet.page}:${snippet.line}`, snippet] as const);

describe('the pages', () => {
  it.each(titled('json'))('%s is JSON', (_, { text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  const calls = [...titled('sh'), ...titled('console')].flatMap(([place, snippet]) =>
    callsIn(snippet).map((words) => [place, words.join(' '), words] as const),
  );
  it.each(calls)('%s: mcp-codegen %s is a known command', async (_, __, words) => {
    expect(await parseCommandLine(words, 80)).toMatchObject({ kind: 'run' });
  });

  it('contain snippets of every kind', () => {
    for (const language of ['ts', 'sh', 'json']) expect(titled(language)).not.toEqual([]);
    expect(calls.length).toBeGreaterThan(8);
  });
});

describe('reading pages', () => {
  it('finds fenced blocks with their lines', () => {
    const page = 'x\n```ts\na\nb\n```\n\n  ```sh x\n  c\n  ```\n';
    expect(snippetsIn('p', page)).toEqual([
      { page: 'p', line: 3, language: 'ts', words: '', text: 'a\nb\n' },
      { page: 'p', line: 8, language: 'sh', words: 'x', text: '  c\n' },
    ]);
  });

  it('finds calls in pipes and after other commands, without comments', () => {
    const text = "cd x && npx mcp-codegen new tool y # z\na | npx mcp-codegen validate '- x'\n";
    expect(callsIn({ page: '', line: 1, language: 'sh', words: '', text })).toEqual([
      ['new', 'tool', 'y'],
      ['validate', '- x'],
    ]);
  });

  it.each(['validate --quite', 'generat', 'new tool'])('refuses %s', async (line) => {
    await expect(parseCommandLine(line.split(' '), 80)).rejects.toThrow();
  });

  it('wraps top-level await in a function for CommonJS', () => {
    const text = "import {\n  x,\n} from 'x';\nawait x;\n";
    expect(asCommonJs(text)).toBe(
      "import {\n  x,\n} from 'x';\nvoid (async () => {\nawait x;\n\n})();\n",
    );
    expect(asCommonJs('const x = 1;\n')).toBe('const x = 1;\n');
    expect(asCommonJs('try {\n  await x;\n} finally {\n}\n')).toContain(
      'void (async () => {\ntry {',
    );
  });
});
