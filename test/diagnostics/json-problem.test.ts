import { describe, expect, it } from 'vitest';
import { jsonProblem } from '../../generator/diagnostics/json-problem.js';

function problemOf(text: string): { readonly reason: string; readonly help: string } {
  try {
    JSON.parse(text);
  } catch (error) {
    return jsonProblem(text, error);
  }
  throw new Error('The text is JSON.');
}

describe('a text that is not JSON', () => {
  it.each([
    ['', 'Was it saved'],
    ['<!doctype html>', 'Give the address of the file'],
    ['{"a": 1, // one\n}', 'Remove comments'],
    ['{"a": "/* no comment */", }', 'Remove comments'],
    ['[1, 2, ]', 'Remove comments'],
    ['{"a": "// \\", ]", b}', 'Is it complete'],
    ['{"a": 1', 'Is it complete'],
  ])('%j', (text, help) => {
    expect(problemOf(text).help).toContain(help);
  });

  it.each(['x', '\\n', '\\"', '//', '{,'])('may have a string of ten million %j', (part) => {
    const { help } = problemOf(`{"a": "${part.repeat(1e7)}" oops`);
    expect(help).toContain('Is it complete');
  });
});
