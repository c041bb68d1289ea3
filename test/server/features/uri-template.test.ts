import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';

import {
  parseUriTemplate,
  type TemplateVariables,
} from '../../../runtime/server/definitions/uri-template.js';
import { sized } from '../../support/size.js';

const match = (template: string, uri: string): unknown => parseUriTemplate(template).match(uri);

describe('a URI template', () => {
  it.each<[string, string, unknown]>([
    ['shop://orders/{id}', 'shop://orders/5', { id: '5' }],
    ['shop://orders/{id}', 'shop://orders/a%2Fb%20c', { id: 'a/b c' }],
    ['shop://orders/{id}', 'shop://orders/', undefined],
    ['shop://orders/{id}', 'shop://orders/5/6', undefined],
    ['shop://orders/{id}', 'shop://orders/5?x=1', undefined],
    ['shop://orders/{id}', 'shop://orders/%zz', undefined],
    ['shop://orders/{id}', 'else://orders/5', undefined],
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['x:{a}{b}', 'x:123', { a: '12', b: '3' }],
    ['x:{a}-{b}', 'x:1-2-3', { a: '1-2', b: '3' }],
    ['x:{+path}-{id}', 'x:a-b/c-d', { path: 'a-b/c', id: 'd' }],
    ['x:{a,b}', 'x:1,2', { a: '1', b: '2' }],
    ['x:{list*}', 'x:1,2,3', { list: ['1', '2', '3'] }],
    ['file:///{+path}', 'file:///a/b%20c.txt', { path: 'a/b c.txt' }],
    ['x:{a}{#part}', 'x:1#two/three', { a: '1', part: 'two/three' }],
    ['x:{name}{.ext}', 'x:a.b.txt', { name: 'a.b', ext: 'txt' }],
    ['x:{/a,b}', 'x:/1/2', { a: '1', b: '2' }],
    ['x:{/path*}', 'x:/1/2/3', { path: ['1', '2', '3'] }],
    ['x:m{;lat,long}', 'x:m;lat=1;long=2', { lat: '1', long: '2' }],
    ['x:s{?q,lang}', 'x:s?q=a%26b&lang=en', { q: 'a&b', lang: 'en' }],
    ['x:s{?q,lang}', 'x:s?lang=en&q=', { q: '', lang: 'en' }],
    ['x:s{?q,lang}', 'x:s?lang=en', { lang: 'en' }],
    ['x:s{?q,lang}', 'x:s', {}],
    ['x:s{?q,lang}', 'x:s?q=1&q=2', undefined],
    ['x:s{?q,lang}', 'x:s?other=1', undefined],
    ['x:s{?q,lang}', 'x:s?', undefined],
    ['x:s{?q,lang}', 'x:s?q', undefined],
    ['x:s{?q*}', 'x:s?q=1&q=2', { q: ['1', '2'] }],
    ['x:s?v=1{&q}', 'x:s?v=1&q=2', { q: '2' }],
    ['x:s?v=1{&q}', 'x:s?v=1', {}],
    ['x:s{?a}{&b}', 'x:s?b=1&a=2', { a: '2', b: '1' }],
    ['x:{+path}{?q}', 'x:a/b?q=1', { path: 'a/b', q: '1' }],
    ['x:plain', 'x:plain', {}],
    ['x:plain', 'x:plainer', undefined],
    ['{+all}', 'x:y', { all: 'x:y' }],
  ])('%s matches %s: %j', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it('has values under names that objects inherit', () => {
    const values = match('x:{__proto__}/{constructor}', 'x:1/2') as object;
    expect(Object.entries(values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  it.each([
    ['x:{a', 'RFC 6570'],
    ['x:{}', 'RFC 6570'],
    ['x:{a}/{a}', 'two variables are called a'],
    ['x:{a:3}', 'prefix'],
    ['x:{;a*}', 'list'],
    ['x:{=a}', 'reserved'],
    ['x:{?a}/b', 'nothing may follow'],
  ])('%s is refused: %s', (template, why) => {
    expect(() => parseUriTemplate(template)).toThrow(TypeError);
    expect(() => parseUriTemplate(template)).toThrow(why);
  });

  it('needs every value that is not of its query', () => {
    const { expand } = parseUriTemplate('x:{a}{?q}');
    expect(expand({ a: "b'c" })).toBe('x:b%27c');
    // @ts-expect-error a is missing
    expect(() => expand({ q: '1' })).toThrow('needs a value of a');
  });
});

/** A text that is not empty, of whole characters. */
const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
/** Without what separates the members of its list. */
const without = (separator: string) => value.filter((text) => !text.includes(separator));
const list = (separator: string) => fc.array(without(separator), { minLength: 1, maxLength: 4 });

describe('expanding and then matching', () => {
  const simple = { a: value, b: value };
  it.each<[string, Record<string, fc.Arbitrary<unknown>>]>([
    ['x:{a}/{b}', simple],
    ['x:{a,b}', simple],
    ['x:{/a,b}', simple],
    ['x:m{;a,b}', simple],
    ['x:{a*}/{b}', { a: list('\n\n'), b: value }],
    ['x:{/a*}', { a: list('\n\n') }],
    ['x:{.a*}', { a: list('.') }],
    ['x:{+a}', { a: value }],
    ['x:y{#a}', { a: value }],
    ['x:{a}/{+b}', simple],
    [
      'x:{a}{?b,c}',
      { a: value, b: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }), c: value },
    ],
    ['x:{a}{?b*,c}', { a: value, b: list('\n\n'), c: value }],
    ['x:?v=1{&a,b}', simple],
  ])('%s gives the values back', (text, arbitraries) => {
    const template = parseUriTemplate(text);
    fc.assert(
      fc.property(fc.record(arbitraries), (values) => {
        const given = Object.fromEntries(
          Object.entries(values).filter(([, each]) => each !== undefined),
        ) as never;
        expect(template.match(template.expand(given))).toEqual(given);
      }),
    );
  });
});

describe('a hostile URI', () => {
  const hostile = [
    'x:'.padEnd(2 ** 20, 'a'),
    'x:'.padEnd(2 ** 16, 'a/'),
    'x:'.padEnd(2 ** 16, '&q=1'),
    `x:?${'q=1&'.repeat(2 ** 13)}`,
    'x:'.padEnd(2 ** 16, '?'),
    'x:'.padEnd(2 ** 16, '%61'),
    'x:'.padEnd(2 ** 16, '-'),
  ];
  it.each(['x:{a}-{b}-{c}-{d}-{e}!', 'x:{+a}{+b}{+c}/{+d}!', 'x:{a*}{?q*}', 'x:{+a}{&q*}'])(
    'of 64 KiB and of 1 MiB is matched in steps that its length bounds: %s',
    (text) => {
      const template = parseUriTemplate(text);
      for (const uri of hostile) template.match(uri);
    },
  );

  it('never throws', () => {
    const template = parseUriTemplate('x:{a}/{+b}{?q,r*}');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '/', '?', '&', 'q', 'r', '=', '%', '#') }),
        (rest) => {
          template.match(`x:${rest}`);
        },
      ),
      { numRuns: sized(2_000) },
    );
  });
});

it('the variables have types', () => {
  expectTypeOf<TemplateVariables<'shop://orders/{id}'>>().toEqualTypeOf<{ readonly id: string }>();
  expectTypeOf<TemplateVariables<'x:{a,b}/{list*}{?q,l*}'>>().toEqualTypeOf<{
    readonly a: string;
    readonly b: string;
    readonly list: readonly string[];
    readonly q?: string;
    readonly l?: readonly string[];
  }>();
  expectTypeOf<TemplateVariables<'x:{+path}{/more*}{&z}'>>().toEqualTypeOf<{
    readonly path: string;
    readonly more: readonly string[];
    readonly z?: string;
  }>();
  expectTypeOf<keyof TemplateVariables<'x:plain'>>().toEqualTypeOf<never>();
  expectTypeOf<TemplateVariables<string>>().toEqualTypeOf<
    Readonly<Record<string, string | readonly string[] | undefined>>
  >();
});
