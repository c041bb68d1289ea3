import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

import { definePrompt } from '../../../runtime/server/prompt.js';
import { defineResource, defineResourceTemplate } from '../../../runtime/server/resource.js';
import { createTaskServer } from '../../../runtime/server/index.js';

/** As JavaScript calls them. */
type Define = (definition: unknown) => object;
const resource = defineResource as Define;
const template = defineResourceTemplate as unknown as Define;
const prompt = definePrompt as unknown as Define;

const none = (): undefined => undefined;
const aResource = { uri: 'x:r', name: 'r', read: none };
const aTemplate = { uriTemplate: 'x:{id}', name: 't', read: none };
const aPrompt = { name: 'p', get: () => '' };

/** The keys that all have, and what they refuse. */
const COMMON: readonly (readonly [string, unknown])[] = [
  ['title', 7],
  ['description', null],
  ['icons', {}],
  ['meta', []],
];

describe.each<[string, Define, object, readonly (readonly [string, unknown])[], string]>([
  [
    'Resource',
    resource,
    aResource,
    [
      ...COMMON,
      ['name', ''],
      ['uri', 7],
      ['mimeType', 7],
      ['annotations', 7],
      ['size', -1],
      ['read', 7],
    ],
    'uri',
  ],
  [
    'Resource template',
    template,
    aTemplate,
    [
      ...COMMON,
      ['uriTemplate', 7],
      ['mimeType', 7],
      ['list', []],
      ['complete', { id: 7 }],
      ['read', 7],
    ],
    'uriTemplate',
  ],
  [
    'Prompt',
    prompt,
    aPrompt,
    [...COMMON, ['name', 7], ['args', { a: z.string() }], ['complete', []], ['get', 'text']],
    'get',
  ],
])('%s', (noun, define, valid, wrong, required) => {
  it('is refused without an object, a required key, and with an unknown one', () => {
    expect(() => define(undefined)).toThrow(/^define\w+ needs an object with a definition/);
    expect(() => define({ ...valid, [required]: undefined })).toThrow(
      `\`${required}\` is missing: add `,
    );
    expect(() => define({ ...valid, handler: none })).toThrow(
      /: unknown key `handler`: call it `(read|get)`: a function/,
    );
    expect(() => define({ ...valid, colour: 1 })).toThrow(
      new RegExp(`^${noun} "\\w": unknown key \`colour\`: remove it`),
    );
  });

  it.each(wrong)('is refused with a wrong `%s`', (key, value) => {
    expect(() => define({ ...valid, [key]: value })).toThrow(TypeError);
    expect(() => define({ ...valid, [key]: value })).toThrow(`\`${key}\` must be `);
  });
});

it('the texts of URIs and templates are checked', () => {
  expect(() => resource({ ...aResource, uri: 'no scheme' })).toThrow(
    'Resource "r": `uri` must be a URI with a scheme',
  );
  expect(() => template({ ...aTemplate, uriTemplate: 'x:{' })).toThrow(
    'Resource template "t": `uriTemplate`: "x:{" is no usable URI template',
  );
});

it('only what there is can be completed', () => {
  expect(() => template({ ...aTemplate, complete: { other: none } })).toThrow(
    'Resource template "t": `complete` has other, but the variables are: id',
  );
  expect(() => prompt({ ...aPrompt, complete: { other: none } })).toThrow(
    'Prompt "p": `complete` has other, but the arguments are: none',
  );
});

it.each<[string, z.ZodType, string]>([
  ['number', z.number().optional(), 'z.coerce.number()'],
  ['boolean', z.boolean().default(true), 'z.stringbool()'],
  ['object', z.object({}), 'a text for each member'],
  ['array', z.array(z.string()), 'split'],
])('an argument of a prompt is no %s', (type, schema, mend) => {
  const define = (): unknown => definePrompt({ ...aPrompt, args: z.object({ a: schema }) });
  expect(define).toThrow(`Prompt "p": \`args\`: a is a ${type}, but clients send texts: `);
  expect(define).toThrow(mend);
});

it('an argument of a prompt may be made of a text', () => {
  const args = z.object({
    n: z.coerce.number(),
    b: z.stringbool(),
    list: z.string().transform((text) => text.split(',')),
    either: z.union([z.literal('a'), z.literal('b')]).optional(),
  });
  expect(definePrompt({ name: 'p', args, get: () => '' }).argumentNames).toEqual(
    Object.keys(args.shape),
  );
});

it('a server refuses two of one name, and what is not made by a definition', async () => {
  const create = (options: object): Promise<unknown> =>
    createTaskServer({ name: 'n', version: '1', tools: [], ...options });
  await expect(create({ resources: [resource(aResource), resource(aResource)] })).rejects.toThrow(
    new TypeError('Two resources have the URI x:r'),
  );
  await expect(create({ prompts: [prompt(aPrompt), prompt(aPrompt)] })).rejects.toThrow(
    new TypeError('Two prompts are called p'),
  );
  await expect(create({ prompts: [aPrompt] })).rejects.toThrow(
    'prompts[0] is not made by definePrompt',
  );
  await expect(create({ resources: {} })).rejects.toThrow('`resources` must be a list');
});

// With a search for each name, this takes minutes.
it('a server takes 100,000 resources', async () => {
  const resources = Array.from({ length: 100_000 }, (_, index) =>
    defineResource({ uri: `x:${index}`, name: 'r', read: () => ({ text: '' }) }),
  );
  const server = await createTaskServer({ name: 'n', version: '1', tools: [], resources });
  await server.close(0);
});

it('the types follow from the definition', () => {
  definePrompt({
    name: 'p',
    args: z.object({ city: z.string(), days: z.coerce.number().optional() }),
    complete: {
      city: (value, { args }) => {
        expectTypeOf(value).toEqualTypeOf<string>();
        expectTypeOf(args).toEqualTypeOf<{ readonly city?: string; readonly days?: string }>();
        return [];
      },
    },
    get({ args, caller }) {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined }>();
      expectTypeOf(caller?.subject).toEqualTypeOf<string | undefined>();
      return '';
    },
  });
  defineResourceTemplate({
    uriTemplate: 'x:{a}/{b}{?c}',
    name: 't',
    complete: {
      b: (_value, { variables }) => {
        expectTypeOf(variables).toEqualTypeOf<{
          readonly a?: string;
          readonly b?: string;
          readonly c?: string;
        }>();
        return [];
      },
    },
    read({ variables }) {
      expectTypeOf(variables).toEqualTypeOf<{
        readonly a: string;
        readonly b: string;
        readonly c?: string;
      }>();
      return { text: variables.a };
    },
  });
  const complete = { other: () => [] };
  const uriTemplate = 'x:{a}';
  // @ts-expect-error other is no variable
  expect(() => defineResourceTemplate({ ...aTemplate, uriTemplate, complete })).toThrow(TypeError);
  const args = z.object({ a: z.string() });
  // @ts-expect-error other is no argument
  expect(() => definePrompt({ ...aPrompt, args, complete })).toThrow(TypeError);
  // @ts-expect-error a resource has a text, a blob or a value
  defineResource({ uri: 'x:r', name: 'r', read: () => ({ other: 1 }) });
});
