import { afterAll, describe, expect, it } from 'vitest';
import { createCompiler } from './compiled.js';
import { nodeOf, readIt } from './support.js';

const compiler = createCompiler();
afterAll(() => {
  compiler.remove();
});

const long = 'a'.repeat(200_000);

describe('a pattern that would backtrack', () => {
  it.each([
    { type: 'string', pattern: '^(a+)+$' },
    { type: 'string', pattern: '(a|a)*$', minLength: 1 },
    { type: 'string', pattern: '^(?!.*!)(?=a)' },
  ])('is matched in linear time by checks, reports and Zod: %j', async (schema) => {
    const { is, validate, zod } = await compiler.compile(schema);
    const accepts = await zod();
    const good = new RegExp('^a+$', 'u');
    for (const value of ['', 'a', long, `${long}!`]) {
      const valid = schema.pattern === '(a|a)*$' ? value !== '' : good.test(value);
      expect([is(value), validate(value).ok, accepts(value)], value.slice(-3)).toEqual([
        valid,
        valid,
        valid,
      ]);
    }
  });

  it('is matched in linear time for the keys of an object', async () => {
    const { is, validate, zod } = await compiler.compile({
      patternProperties: { '^(a|aa)+$': { type: 'number' }, '\\d': true },
      additionalProperties: false,
    });
    const accepts = await zod();
    for (const [value, valid] of [
      [{ [long]: 1, x1: '' }, true],
      [{ [long]: '' }, false],
      [{ [`${long}!`]: 1 }, false],
    ] as const) {
      expect([is(value), validate(value).ok, accepts(value)]).toEqual([valid, valid, valid]);
    }
  });

  it('is matched in linear time for unevaluated keys', async () => {
    const { is, validate } = await compiler.compile({
      allOf: [{ patternProperties: { '^(a|aa)+$': true } }],
      unevaluatedProperties: false,
    });
    expect([is({ [long]: 1 }), is({ [`${long}!`]: 1 })]).toEqual([true, false]);
    expect(validate({ [`${long}!`]: 1 }).ok).toBe(false);
  });
});

describe('a pattern that the flag u refuses', () => {
  it('has its meaning without the flag', async () => {
    const { is, zod } = await compiler.compile({
      pattern: '^[\\w\\-.]+\\@{id}$',
      patternProperties: { '\\-': false },
    });
    const accepts = await zod();
    for (const [value, valid] of [
      ['a-b.c@{id}', true],
      ['a b@{id}', false],
      [{ 'a-b': 1 }, false],
      [{ ab: 1 }, true],
    ] as const) {
      expect([is(value), accepts(value)]).toEqual([valid, valid]);
    }
  });

  it('is reported when it escapes a letter without a meaning', () => {
    const { diagnostics } = readIt({ type: 'string', pattern: '\\Aa\\\\b\\Z' }).get('It') ?? {};
    expect(diagnostics?.map(({ severity, message }) => [severity, message])).toEqual([
      [
        'warning',
        'In the pattern "\\\\Aa\\\\\\\\b\\\\Z", \\A is the letter A, \\Z is the letter Z.',
      ],
    ]);
  });

  it('is in the model as the flag has it', () => {
    expect(nodeOf({ type: 'string', pattern: '^\\d\\-\\d$' })).toEqual({
      kind: 'string',
      pattern: '^\\d-\\d$',
    });
  });
});

describe('a pattern that cannot be matched in linear time', () => {
  const backReference = '^(["\']).*\\1$';

  it('is an error with its place, and any string is valid', () => {
    const { node, diagnostics } =
      readIt({ type: 'string', pattern: backReference }).get('It') ?? {};
    expect(node).toEqual({ kind: 'string' });
    expect(diagnostics).toEqual([
      {
        code: 'unmatchable-pattern',
        severity: 'error',
        message: `The pattern ${JSON.stringify(backReference)} may take very long to match, because it has a back-reference.`,
        pointer: '/$defs/It/pattern',
        help: 'Write it without back-references, and with smaller repetitions.',
      },
    ]);
  });

  it('refuses no key that it might match', () => {
    const { node, diagnostics } =
      readIt({
        type: 'object',
        patternProperties: { [backReference]: false },
        additionalProperties: false,
      }).get('It') ?? {};
    expect(diagnostics?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unmatchable-pattern', `/$defs/It/patternProperties/${backReference}`],
    ]);
    expect(node).toMatchObject({ patterns: [{ pattern: '', node: { kind: 'any' } }] });
  });

  it.each(['(', '(?i)a', '(?P<n>a)'])(
    'is malformed when it is no regular expression: %s',
    (pattern) => {
      const codes = readIt({ type: 'string', pattern })
        .get('It')
        ?.diagnostics.map(({ code }) => code);
      expect(codes).toEqual(['malformed-keyword']);
    },
  );
});
