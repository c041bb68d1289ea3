import fc from 'fast-check';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { commentText, docComment } from '../../generator/emit/comment.js';
import { sized } from '../support/size.js';

it.each([
  ['one line', 'one line'],
  ['  spaces around \n\n  and between  ', 'spaces around\n\n  and between'],
  ['a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
  ['ends */ here */', 'ends *\\/ here *\\/'],
  ['tab\tand\u0000 \u0007bell\u001b', 'tab\tand bell'],
  ['right\u202eto left\u200b\ufeff', 'rightto left'],
  [' \n ', ''],
])('the text %j is the comment %j', (text, expected) => {
  expect(commentText(text)).toBe(expected);
});

it('a comment has a star for each line, and none is written without text', () => {
  expect(docComment('a\n\nb', '  ')).toBe('  /**\n   * a\n   *\n   * b\n   */\n');
  expect(docComment('a')).toBe('/**\n * a\n */\n');
  expect([docComment(undefined), docComment(' ')]).toEqual(['', '']);
});

it('a comment has at most 10,000 lines', () => {
  expect(commentText('a\n'.repeat(20_000)).split('\n')).toHaveLength(10_000);
});

it('any text stays within its comment', () => {
  const part = fc.oneof(
    fc.constantFrom('*/', '/*', '*', '/', '\\', '\r', '\u2028', '`'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const code = `${docComment(parts.join(''))}export const it = 1;\n`;
      const source = ts.createSourceFile('it.ts', code, ts.ScriptTarget.Latest);
      const texts = source.statements.map((each) => each.getText(source));
      expect(texts).toEqual(['export const it = 1;']);
    }),
    { numRuns: sized(1_000) },
  );
});
