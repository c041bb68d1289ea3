import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { createCompiler } from './compiled.js';
import { checker, readApi, ref, typeErrors } from './openapi-support.js';

const compiler = createCompiler();
afterAll(() => compiler.remove());

interface Shape {
  readonly openapi: '3.0.3' | '3.1.0';
  readonly union: 'oneOf' | 'anyOf';
  /** How the mapping names schemas, if there is one. */
  readonly mapping: 'none' | 'references' | 'names';
  /** How the members declare their tag. */
  readonly tag: 'text' | 'absent' | 'literal' | 'all' | 'optional';
  readonly closed: boolean;
}

const SHAPES: readonly Shape[] = (['3.0.3', '3.1.0'] as const).flatMap((openapi) =>
  (['oneOf', 'anyOf'] as const).flatMap((union) =>
    (['none', 'references', 'names'] as const).flatMap((mapping) =>
      (['text', 'absent', 'literal', 'all', 'optional'] as const).flatMap((tag) =>
        [false, true]
          // A closed object without a property for its tag accepts none.
          .filter((closed) => !(closed && tag === 'absent'))
          .map((closed) => ({ openapi, union, mapping, tag, closed })),
      ),
    ),
  ),
);

const KINDS = ['Dog', 'Cat'] as const;
const OWN = { Dog: { barks: { type: 'boolean' } }, Cat: { lives: { type: 'integer' } } };

/** The value that a schema's tag has to be. */
const tagOf = (name: string, { mapping }: Shape): string =>
  mapping === 'none' ? name : name.toLowerCase();

/** A member of the union, or what it has to mean. */
function memberOf(name: (typeof KINDS)[number], shape: Shape, tag: Shape['tag']): object {
  const kinds = {
    text: { type: 'string' },
    optional: { type: 'string' },
    absent: undefined,
    literal: { type: 'string', enum: [tagOf(name, shape)] },
    all: { type: 'string', enum: KINDS.map((each) => tagOf(each, shape)) },
  };
  const kind = kinds[tag];
  return {
    type: 'object',
    ...(tag !== 'absent' && tag !== 'optional' && { required: ['kind'] }),
    properties: { ...(kind && { kind }), ...OWN[name] },
    ...(shape.closed && { additionalProperties: false }),
  };
}

function documentOf(shape: Shape): object {
  const { openapi, union, mapping, tag } = shape;
  const pairs = KINDS.map((name) => [
    tagOf(name, shape),
    mapping === 'names' ? name : ref(name).$ref,
  ]);
  const discriminator = {
    propertyName: 'kind',
    ...(mapping !== 'none' && { mapping: Object.fromEntries(pairs) as object }),
  };
  const members = Object.fromEntries(KINDS.map((name) => [name, memberOf(name, shape, tag)]));
  const Animal = { [union]: KINDS.map((name) => ref(name)), discriminator };
  return { openapi, components: { schemas: { Animal, ...members } } };
}

const VALUES: readonly unknown[] = ['Dog', 'Cat', 'dog', 'cat', 'Cow', 1, null, undefined].flatMap(
  (kind) =>
    [{}, { barks: true }, { barks: 1 }, { lives: 9 }, { lives: 'nine' }, { other: 1 }].map(
      (rest) => ({ ...(kind !== undefined && { kind }), ...rest }),
    ),
);

const titleOf = (shape: Shape): string => Object.values(shape).join(', ');

describe('a discriminator', () => {
  it.each(SHAPES.map((shape) => [titleOf(shape), shape] as const))(
    'tells the members apart as ajv does by their literals: %s',
    async (_title, shape) => {
      const { protocol, diagnostics } = readApi(documentOf(shape));
      expect(diagnostics).toEqual([]);
      const is = await checker(compiler, protocol);
      const ajv = new Ajv2020({ discriminator: true });
      const accepts = ajv.compile({
        type: 'object',
        discriminator: { propertyName: 'kind' },
        required: ['kind'],
        oneOf: KINDS.map((name) => memberOf(name, shape, 'literal')),
      });
      const found = VALUES.map((value) => is('Animal', value));
      expect(found).toEqual(VALUES.map((value) => accepts(value)));
      expect(new Set(found).size).toBe(2);
    },
  );

  it('is a tagged union in types, whatever its members say of their tags', async () => {
    const shapes = SHAPES.filter(({ union }) => union === 'oneOf');
    const errors = await typeErrors(
      shapes.map((shape) => {
        const [dog = '', cat = ''] = KINDS.map((name) => tagOf(name, shape));
        return {
          protocol: readApi(documentOf(shape)).protocol,
          module: `export function use(animal: types.Animal): string {
            if (animal.kind === '${dog}') return String(animal.barks satisfies boolean | undefined);
            const kind: '${cat}' = animal.kind;
            return kind + String(animal.lives satisfies number | undefined);
          }
          export const dog: types.Animal = { kind: '${dog}', barks: true };
          // @ts-expect-error no animal has another tag
          export const cow: types.Animal = { kind: 'cow' };
          // @ts-expect-error not a boolean
          export const wrong: types.Animal = { kind: '${dog}', barks: 1 };`,
        };
      }),
    );
    expect(errors).toEqual([]);
  });

  it('gives values that are numbers as they are', async () => {
    const { protocol } = readApi({
      components: {
        schemas: {
          Version: {
            oneOf: [ref('One'), ref('Two')],
            discriminator: { propertyName: 'v', mapping: { 1: 'One', 2: 'Two' } },
          },
          One: { type: 'object', properties: { v: { type: 'integer' }, a: { type: 'string' } } },
          Two: { type: 'object', properties: { v: { type: 'integer' }, a: { type: 'number' } } },
        },
      },
    });
    const is = await checker(compiler, protocol);
    const values = [{ v: 1, a: '' }, { v: 1, a: 1 }, { v: 2, a: 1 }, { v: '1', a: '' }, { v: 3 }];
    expect(values.map((value) => is('Version', value))).toEqual([true, false, true, false, false]);
  });

  it('leaves members without an object, and unions with tags of their own, as they are', async () => {
    const object = { type: 'object', properties: { kind: { type: 'string' } } };
    const discriminator = { propertyName: 'kind' };
    const { protocol, diagnostics } = readApi({
      components: {
        schemas: {
          Being: {
            oneOf: [ref('Animal'), ref('Plant'), { type: 'null' }, ref('Text')],
            discriminator,
          },
          Animal: { oneOf: [ref('Dog'), ref('Cat')], discriminator },
          ...{ Dog: object, Cat: object, Plant: object, Text: { type: 'string' } },
        },
      },
    });
    expect(diagnostics).toEqual([]);
    const is = await checker(compiler, protocol);
    const values = [{ kind: 'Dog' }, { kind: 'Cat' }, { kind: 'Plant' }, null, 'text'];
    expect(values.filter((value) => !is('Being', value))).toEqual([]);
    const wrong = [{ kind: 'Animal' }, { kind: 'Text' }, {}, 1];
    expect(wrong.filter((value) => is('Being', value))).toEqual([]);
  });

  it('gets a warning for a mapping that leads to no member', () => {
    const discriminator = { propertyName: 'kind', mapping: { dog: 'Dog', cow: 'Cow' } };
    const { diagnostics } = readApi({
      components: { schemas: { Animal: { oneOf: [ref('Dog')], discriminator }, Dog: {} } },
    });
    expect(diagnostics).toMatchObject([
      {
        code: 'unsupported-keyword',
        severity: 'warning',
        message: 'The mapping of "cow" changes nothing, because no alternative is "Cow".',
        pointer: '/components/schemas/Animal/discriminator/mapping/cow',
      },
    ]);
  });
});

describe('a base with a discriminator', () => {
  const extended = (base: string, properties: object) => ({
    allOf: [ref(base), { type: 'object', properties }],
  });
  const schemas = {
    Pet: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, name: { type: 'string' } },
    },
    Dog: extended('Pet', { barks: { type: 'boolean' } }),
    Puppy: extended('Dog', { age: { type: 'integer' } }),
    Cat: extended('Pet', { lives: { type: 'integer' } }),
  };

  it.each([
    ['3.1.0', undefined, ['Dog', 'Puppy', 'Cat']],
    ['3.0.3', { dog: 'Dog', cat: ref('Cat').$ref }, ['dog', 'Puppy', 'cat']],
  ])(
    'gives the schemas that extend it their tags, in %s',
    async (openapi, mapping, [dog = '', puppy = '', cat = '']) => {
      const Pet = { ...schemas.Pet, discriminator: { propertyName: 'kind', mapping } };
      const Any = { oneOf: [ref('Puppy'), ref('Cat')], discriminator: { propertyName: 'kind' } };
      const document = { openapi, components: { schemas: { ...schemas, Pet, Any } } };
      const { protocol, diagnostics } = readApi(document);
      expect(diagnostics).toEqual([]);
      const is = await checker(compiler, protocol);
      const accepted = (name: string) =>
        [dog, puppy, cat, 'cow'].filter((kind) => is(name, { kind }));
      expect(accepted('Dog')).toEqual([dog, puppy]);
      expect(accepted('Puppy')).toEqual([puppy]);
      expect(accepted('Cat')).toEqual([cat]);
      expect(accepted('Any')).toEqual([puppy, cat]);
      // Schemas of other documents may extend it as well.
      expect(accepted('Pet')).toEqual([dog, puppy, cat, 'cow']);
    },
  );

  it('may list the schemas that extend it, and so refer to itself', async () => {
    const discriminator = { propertyName: 'kind' };
    const Pet = { ...schemas.Pet, oneOf: [ref('Puppy'), ref('Cat')], discriminator };
    const { protocol, diagnostics } = readApi({ components: { schemas: { ...schemas, Pet } } });
    expect(diagnostics).toEqual([]);
    const is = await checker(compiler, protocol);
    const values = ['Dog', 'Puppy', 'Cat'].map((kind) => ({ kind }));
    expect(values.map((value) => is('Pet', value))).toEqual([false, true, true]);
    expect(is('Pet', { kind: 'Puppy', age: 'old' })).toBe(false);
    expect(is('Puppy', { kind: 'Puppy', name: 1 })).toBe(false);
  });

  it('is a name in 2.0', async () => {
    const Base = { ...schemas.Pet, discriminator: 'kind' };
    const Dog = { allOf: [{ $ref: '#/definitions/Base' }] };
    const { protocol } = readApi({
      openapi: undefined,
      swagger: '2.0',
      definitions: { Base, Dog },
    });
    const is = await checker(compiler, protocol);
    const values = [{ kind: 'Dog' }, { kind: 'Base' }];
    expect(values.map((value) => is('Dog', value))).toEqual([true, false]);
  });
});
