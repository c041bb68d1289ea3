import { describe, expect, it } from 'vitest';
import { COLOURED, PLAIN, renderDiagnostics } from '../../generator/diagnostics/index.js';
import { printable, quote } from '../../json-schema/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';

const dangling = (index: number, help = 'Define it.'): Diagnostic => ({
  code: 'dangling-ref',
  severity: 'error',
  message: `Number ${String(index)}.`,
  source: 'schema.json',
  pointer: `/$defs/A${String(index)}`,
  help,
});
const many = (count: number): Diagnostic[] =>
  Array.from({ length: count }, (_, at) => dangling(at));

describe('renderDiagnostics', () => {
  it('prints code, message, place and help', () => {
    expect(renderDiagnostics([dangling(1)], PLAIN)).toBe(
      [
        'error[dangling-ref]: Number 1.',
        '  --> schema.json#/$defs/A1',
        '  help: Define it.',
        '',
      ].join('\n'),
    );
  });

  it('prints errors before warnings and each help once', () => {
    const warning: Diagnostic = { code: 'bad-name', severity: 'warning', message: 'B.' };
    const text = renderDiagnostics([warning, dangling(1), dangling(2)], PLAIN);
    expect(text.match(/^(?:error|warning).*/gm)).toEqual([
      'error[dangling-ref]: Number 1.',
      'error[dangling-ref]: Number 2.',
      'warning[bad-name]: B.',
    ]);
    expect(text.match(/help:/g)).toHaveLength(1);
  });

  it('prints three of many, the places of ten more, and the number of others', () => {
    const text = renderDiagnostics(many(50), PLAIN);
    expect(text.match(/Number/g)).toHaveLength(3);
    expect(text).toContain('error[dangling-ref]: 47 more of this kind:\n  --> #/$defs/A3\n');
    expect(text.match(/-->/g)).toHaveLength(13);
    expect(text).toContain('  and 37 more\n');
  });

  it.each(['bad-name', 'renamed-tool'] as const)('prints many %s in one line', (code) => {
    const names = (count: number): Diagnostic[] =>
      many(count).map((each) => ({ ...each, code, severity: 'warning' }));
    expect(
      renderDiagnostics([...names(871), dangling(1)], PLAIN)
        .split('\n')
        .slice(3),
    ).toEqual([`warning[${code}]: 871 names in schema.json. The first: Number 0.`, '']);
    expect(renderDiagnostics(names(4), PLAIN).match(/-->/g)).toHaveLength(4);
  });

  it('prints four in full, because grouping would not be shorter', () => {
    expect(renderDiagnostics(many(4), PLAIN).match(/Number/g)).toHaveLength(4);
  });

  it('escapes all control characters', () => {
    const evil = '\u001b[2J\r\n\u009b31m\u202e';
    const text = renderDiagnostics(
      [{ ...dangling(1), message: evil, source: evil, pointer: evil, help: evil }],
      COLOURED,
    );
    // eslint-disable-next-line no-control-regex -- colours are control sequences
    const plain = text.replace(/\u001b\[\d+m/g, '').replaceAll('\n', '');
    // eslint-disable-next-line no-control-regex -- and nothing else may be one
    expect(plain).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(text.split('\n')).toHaveLength(4);
  });

  it('prints nothing without diagnostics', () => {
    expect(renderDiagnostics([], PLAIN)).toBe('');
  });
});

describe('text from an input', () => {
  const invisible = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character));

  it('is printed without invisible characters', () => {
    expect(invisible).toEqual(expect.arrayContaining(['\u061c', '\u200b', '\u200c', '\u200d']));
    for (const character of invisible) {
      expect(printable(`a${character}b`)).toMatch(/^a(?:\\u[0-9a-f]{4})+b$/);
    }
  });

  it('has the same value after quoting', () => {
    for (const character of invisible) expect(JSON.parse(quote(character))).toBe(character);
  });

  it('keeps letters of every script', () => {
    const text = 'Zoë 日本語 العربية हिन्दी 🎉';
    expect(printable(text)).toBe(text);
  });
});
