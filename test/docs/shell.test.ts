import { describe, expect, it } from 'vitest';

import { endsAs, shellBlocksIn } from './shell.js';
import { pages, snippetsIn } from './snippets.js';

const blocksOf = (text: string) => shellBlocksIn(snippetsIn('p', text));

describe('the shell blocks of the pages', () => {
  const blocks = pages().flatMap((page) => shellBlocksIn(snippetsIn(page)));

  it('say why, where no test runs them', () => {
    const marked = blocks.flatMap(({ place, reason }) =>
      reason === undefined ? [] : [[place, reason]],
    );
    for (const [place, reason] of marked) {
      expect(reason?.split(' ').length, place).toBeGreaterThan(3);
    }
    expect(blocks.length - marked.length).toBeGreaterThan(12);
  });

  it('have a known language and no other words', () => {
    const odd = pages()
      .flatMap((page) => snippetsIn(page))
      .filter(
        ({ language, words }) =>
          !/^(?:|sh|console|ts|json|mermaid|text|yaml|sql|nginx|diff)$/.test(language) ||
          (words !== '' && !/^(?:not-run: .+|declaration)$/.test(words)),
      );
    expect(odd).toEqual([]);
  });
});

describe('reading shell blocks', () => {
  it('takes a block and the output right after it', () => {
    const [first, second] = blocksOf(
      '```sh\na\nb\n```\n\n```\nx\n```\n\n```sh\nc\n```\n\nText\n\n```\ny\n```\n',
    );
    expect(first?.steps).toEqual([{ script: 'a\nb\n', printed: 'x\n', mayFail: false }]);
    expect(second?.steps).toEqual([{ script: 'c\n', mayFail: false }]);
  });

  it('takes a transcript line by line, also in a list', () => {
    expect(blocksOf('  ```console\n  $ a | b\n  1\n    2\n  $ c\n  ```\n')[0]?.steps).toEqual([
      { script: 'a | b', printed: '1\n  2\n', mayFail: true },
      { script: 'c', printed: '', mayFail: true },
    ]);
  });

  it('takes the reason of a block that is not run', () => {
    expect(blocksOf('```sh not-run: needs a cluster\na\n```\n')[0]?.reason).toBe('needs a cluster');
  });
});

describe('comparing output', () => {
  it.each([
    ['a\nb\n', 'a\nb\n'],
    ['a\nb\n', 'b'],
    ['a  \nb\n\n', 'a\nb'],
    ['a\nx\ny\nb', 'a\n...\nb\n'],
    ['a\nb', 'a\n...\nb\n'],
    ['a (1)\nx', 'a (1)\n...\n'],
    ['', ''],
  ])('%j ends as %j', (output, printed) => expect(endsAs(output, printed)).toBe(true));

  it.each([
    ['a\nb\n', 'a'],
    ['ab', 'b'],
    ['a\nx\nb', 'a\nb'],
    ['a.c', 'abc'],
    ['abc', 'a.c'],
    ['a', ''],
  ])('%j does not end as %j', (output, printed) => expect(endsAs(output, printed)).toBe(false));
});
