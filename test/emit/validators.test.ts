import { beforeAll, describe, expect, it } from 'vitest';
import { validateMessage } from '../../generated/2025-11-25/validators.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';
import { emitValidators } from '../../generator/emit/validators/index.js';
import { emitted, revisionOf } from '../support/emitted.js';
import type { Emitted } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';

const everything = protocolOf({
  Anything: {},
  Nothing: { not: {} },
  Name: { type: 'string', minLength: 2, maxLength: 3, pattern: '^\\p{L}+$' },
  Ratio: { type: 'number', minimum: 0, maximum: 1 },
  Count: { type: 'integer' },
  Few: { type: 'array', items: { $ref: '#/$defs/Count' }, minItems: 1, maxItems: 2 },
  Closed: {
    type: 'object',
    properties: { a: { type: 'string' }, b: {}, 'x/~y': { type: 'null' } },
    required: ['b'],
    additionalProperties: false,
  },
  Counts: { type: 'object', additionalProperties: { $ref: '#/$defs/Count' } },
  Present: { type: 'object', required: ['constructor', 'value'] },
  Inherited: { type: 'object', properties: { toString: { type: 'string' } } },
  Tree: {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    required: ['children'],
  },
  Fork: {
    anyOf: [
      { type: 'string' },
      { type: 'object', properties: { a: { $ref: '#/$defs/Fork' } }, required: ['a'] },
      { type: 'object', properties: { b: { $ref: '#/$defs/Fork' } }, required: ['b'] },
    ],
  },
  Circle: {
    type: 'object',
    properties: { kind: { const: 'circle' }, r: { type: 'number' } },
    required: ['kind', 'r'],
  },
  Square: {
    type: 'object',
    properties: { kind: { const: 'square' }, a: { type: 'number' } },
    required: ['kind', 'a'],
  },
  Blob: { type: 'object', properties: { kind: { const: 'blob' } } },
  Form: {
    anyOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }, { $ref: '#/$defs/Blob' }],
  },
  Either: {
    anyOf: [{ type: 'array', items: { type: 'string' } }, { type: ['string', 'boolean'] }],
  },
  Alias: { $ref: '#/$defs/Form' },
  Both: { allOf: [{ $ref: '#/$defs/Circle' }, { type: 'object', required: ['label'] }] },
  Record: { type: 'object', properties: { list: { type: 'array' } } },
});

let all: Emitted;
beforeAll(async () => {
  all = await emitted(everything);
});

/** `pointer: expected`, an error a line. */
function errors(definition: string, value: unknown, options?: object): string[] {
  const verdict = all.validate(definition, value, options);
  expect(all.is(definition, value, options)).toBe(verdict.ok);
  return verdict.ok ? [] : verdict.errors.map((each) => `${each.pointer}: ${each.expected}`);
}

describe('a report', () => {
  it.each([
    ['Anything', null, []],
    ['Anything', undefined, []],
    ['Nothing', 1, [': absent']],
    ['Name', 'ab', []],
    ['Name', '\u{10400}\u{10401}\u{10402}', []],
    ['Name', '\u{10400}', [': a string of 2 to 3 characters that matches ^\\p{L}+$']],
    ['Ratio', 1.5, [': a number from 0 to 1']],
    ['Ratio', NaN, [': a number from 0 to 1']],
    ['Count', 1e21, []],
    ['Count', Infinity, [': an integer']],
    ['Few', [], [': at least 1 long']],
    ['Few', [1, 'x', 2.5], [': at most 2 long', '/1: an integer', '/2: an integer']],
    ['Closed', {}, ['/b: present']],
    [
      'Closed',
      { a: 1, b: 1, 'x/~y': 0, more: 1 },
      ['/a: a string', '/x~1~0y: null', '/more: absent'],
    ],
    ['Closed', JSON.parse('{"b":1,"__proto__":1}'), ['/__proto__: absent']],
    [
      'Counts',
      JSON.parse('{"a":1,"__proto__":"x","constructor":{}}'),
      ['/__proto__: an integer', '/constructor: an integer'],
    ],
    ['Counts', [], [': an object']],
    ['Present', { value: 0 }, ['/constructor: present']],
    ['Present', JSON.parse('{"value":0,"constructor":null}'), []],
    ['Inherited', {}, []],
    ['Inherited', { toString: 1 }, ['/toString: a string']],
    ['Form', { kind: 'circle' }, ['/r: a number']],
    ['Form', { kind: 'triangle' }, ['/kind: one of "circle", "square", "blob"']],
    ['Form', {}, []],
    ['Form', { kind: undefined }, []],
    ['Form', 1, [': an object']],
    ['Either', ['a', 1], ['/1: a string']],
    ['Either', {}, [': an array or a string or a boolean']],
    ['Alias', { kind: 'square', a: 'x' }, ['/a: a number']],
    ['Both', { kind: 'circle' }, ['/r: a number', '/label: present']],
    ['Record', { list: {} }, ['/list: an array']],
  ])('on %s, of %j', (definition, value, expected) => {
    expect(errors(definition, value).sort()).toEqual([...expected].sort());
  });

  it('describes each error in a sentence', () => {
    expect(all.validate('Closed', { b: 1, a: 'x'.repeat(100).length })).toEqual({
      ok: false,
      errors: [
        {
          pointer: '/a',
          expected: 'a string',
          received: 'the number 100',
          message: '/a must be a string, but is the number 100.',
        },
      ],
    });
    expect(all.validate('Closed', {})).toMatchObject({
      errors: [{ received: 'nothing', message: '/b is missing: it must be present.' }],
    });
  });

  it('is limited in number and length of errors', () => {
    const long = 'k'.repeat(1e6);
    const verdict = all.validate('Counts', {
      [long]: long,
      ...Array.from({ length: 1e5 }, String),
    });
    if (verdict.ok) throw new Error('accepted');
    expect(verdict.errors).toHaveLength(100);
    expect(JSON.stringify(verdict.errors).length).toBeLessThan(50_000);
    expect(errors('Few', ['a', 'b'], { maxErrors: 1 })).toHaveLength(1);
    expect(errors('Few', ['a', 'b'], { maxErrors: 0 })).toHaveLength(1);
  });
});

describe('hostile values', () => {
  const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
    let value: unknown = { children: [] };
    for (let i = 0; i < depth; i++) value = wrap(value);
    return value;
  };

  it('nested 100,000 levels deep are refused, and shallow ones accepted', () => {
    const wrap = (inner: unknown): unknown => ({ children: [inner] });
    expect(errors('Tree', nested(400, wrap))).toEqual([]);
    expect(errors('Tree', nested(100_000, wrap))[0]).toMatch(/…: nested less deeply$/);
  });

  it('that refer to themselves are refused', () => {
    const circle: { children: unknown[] } = { children: [] };
    circle.children.push(circle, circle);
    expect(errors('Tree', circle).length).toBeGreaterThan(0);
  });

  it('whose unions double the work at every level get a verdict', () => {
    let value: object = { a: 1, b: 1 };
    for (let i = 0; i < 60; i++) value = { a: value, b: value };
    expect(errors('Fork', value).length).toBeGreaterThan(0);
  });

  it('as messages are refused, whether deep, long, circular or throwing', () => {
    const circle: Record<string, unknown> = {};
    circle['params'] = circle;
    const boom = new Proxy(
      {},
      {
        get() {
          throw new Error('boom');
        },
        has() {
          throw new Error('boom');
        },
        ownKeys() {
          throw new Error('boom');
        },
      },
    );
    const deep: unknown = JSON.parse(`${'{"a":['.repeat(100_000)}${']}'.repeat(100_000)}`);
    const long = new Array<object>(10_000_000).fill({ type: 'text' });
    for (const hostile of [
      circle,
      boom,
      deep,
      long,
      '\ud800',
      Number('1e400'),
      Object.create(null),
    ] as unknown[]) {
      for (const value of [
        hostile,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: hostile },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: hostile } },
        { jsonrpc: '2.0', id: 1, result: { content: hostile } },
      ]) {
        const received = validateMessage(value, { from: 'server', methodOf: () => 'tools/call' });
        if (received.ok) throw new Error('accepted');
        expect(received.errors.length).toBeGreaterThan(0);
        expect(received.errors.length).toBeLessThanOrEqual(100);
        expect(JSON.stringify(received.errors).length).toBeLessThan(100_000);
      }
    }
  });

  it('of ten million elements get a verdict', () => {
    const list = new Array<number>(10_000_000).fill(1);
    const rows = new Array<unknown>(10_000_000).fill('a');
    expect(errors('Few', list)).toEqual([': at most 2 long']);
    expect(errors('Either', rows)).toEqual([]);
    rows[9_999_999] = 1;
    expect(errors('Either', rows)).toEqual(['/9999999: a string']);
    expect(errors('Either', new Array(10_000_000))).toHaveLength(100);
  });

  it('that throw are refused', () => {
    const boom = (): never => {
      throw new Error('boom');
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const value of [
      {
        kind: 'circle',
        get r() {
          return boom();
        },
      },
      new Proxy({}, { get: boom }),
      proxy,
    ]) {
      expect(errors('Form', value)).toHaveLength(1);
      expect(errors('Anything', value)).toEqual([]);
    }
    expect(errors('Counts', new Proxy({}, { ownKeys: boom }))).toEqual([': readable']);
  });

  it('that change while they are read are refused with a reason', () => {
    let reads = 0;
    const value = {
      kind: 'circle',
      get r() {
        return (reads += 1) === 1 ? 'x' : 1;
      },
    };
    expect(all.validate('Circle', value)).toMatchObject({ ok: false, errors: [{ pointer: '' }] });
  });

  it('that validate others while they are read keep their own settings', async () => {
    const link = { type: 'string', format: 'uri' };
    const properties = { a: link, b: link, next: { $ref: '#/$defs/Links' } };
    const { is } = await emitted(protocolOf({ Links: { type: 'object', properties } }));
    const others = [undefined, { formats: false }, { formats: true }];
    const validates = (): undefined => {
      for (const other of others) is('Links', { a: 'no uri', next: { next: 1 } }, other);
    };
    const nestedWith = (b: string): object => ({
      get a() {
        return validates();
      },
      next: {
        get a() {
          return validates();
        },
        b,
      },
    });
    for (const [b, formats, valid] of [
      ['no uri', false, true],
      ['no uri', true, false],
      ['a:b', true, true],
    ] as const) {
      expect(is('Links', nestedWith(b), { formats })).toBe(valid);
    }
  });

  it('change no prototype', () => {
    const text =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"children":[]}';
    for (const definition of everything.definitions) {
      all.validate(definition.name, JSON.parse(text));
    }
    expect('polluted' in {}).toBe(false);
  });

  it('such as symbols, functions, bigints and lone surrogates get a verdict', () => {
    for (const value of [Symbol('x'), () => 1, 1n, '\ud800', new Date(), new Map(), -0]) {
      for (const { name } of everything.definitions) {
        expect(typeof all.validate(name, value).ok).toBe('boolean');
      }
    }
  });
});

describe('the source', () => {
  it('is deterministic and contains no unused code', () => {
    expect(emitValidators(everything)).toBe(emitValidators(everything));
    const source = emitValidators(protocolOf({ Word: { type: 'string' } }));
    expect(source).not.toMatch(/\b(?:wire|nest|characters|decode|object|each|either)\b/);
  });

  it('parses and contains no eval', async () => {
    const source = emitValidators(revisionOf('2025-11-25').protocol);
    expect(source).not.toMatch(/\beval\b|new Function|\brequire\(|\bprocess\.|\bBuffer\b/);
    await expect(formatTypeScript(source)).resolves.toContain('export function decode');
  });
});
