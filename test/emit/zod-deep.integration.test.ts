import { expect, it } from 'vitest';
import { REVISIONS } from '../../generator/read/load/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { compileAll } from '../generated/compile.js';
import { sized } from '../support/size.js';
import { compileWith } from '../support/ts-compile.js';
import { allOf, drawnDefinitions } from './drawn.js';
import { deepFiles, takenApart } from './zod-paths.js';
import type { Schemas } from './zod-paths.js';
import { unionsOf } from './zod-unions.js';

/** What a user of a revision writes. */
const USER = `import type * as z from 'zod';
import * as zod from './zod.js';
export const roles: ('assistant' | 'user')[] = zod.RoleSchema.options;
export const levels: z.ZodEnum = zod.LoggingLevelSchema.exclude(['debug', 'info']);
export const text: z.ZodString = zod.ContentBlockSchema.options[0].shape.text;
export const title: z.ZodExactOptional<z.ZodString> = zod.ToolSchema.shape.annotations.unwrap().shape.title;
`;

it('the types of the Zod schemas of every revision lead to all that they are made of', async () => {
  const users: Record<string, string> = { '2025-11-25/user.ts': USER };
  for (const revision of REVISIONS) {
    const schemas = (await import(`../../generated/${revision}/zod.ts`)) as Schemas;
    users[`${revision}/apart.ts`] = takenApart(schemas);
  }
  expect(await compileAll('7.0', REVISIONS, users)).toEqual([]);
});

/** Definitions that each refer to the next one. */
const LINKS: Readonly<Record<string, (next: JsonSchema) => JsonSchema>> = {
  Objects: (next) => ({ type: 'object', properties: { a: next, b: {} }, required: ['a'] }),
  Optional: (next) => ({ type: 'object', properties: { a: next } }),
  Lists: (next) => ({ type: 'array', items: next }),
  Unions: (next) => ({ anyOf: [next, { type: 'array', items: next }] }),
  Values: (next) => ({ type: 'object', additionalProperties: next }),
  Checked: (next) => ({ type: 'object', properties: { a: next }, minProperties: 1 }),
  Mixed: (next) => ({
    type: 'object',
    properties: { a: { type: 'array', items: { anyOf: [next, { type: 'null' }] } } },
  }),
};

function chains(length: number): Record<string, JsonSchema> {
  const links = Object.entries(LINKS).flatMap(([name, link]) =>
    Array.from({ length }, (_, index) => {
      const next = { $ref: `#/$defs/${name}${String(index + 1)}` };
      return [`${name}${String(index)}`, link(index + 1 < length ? next : { type: 'string' })];
    }),
  );
  return Object.fromEntries(links) as Record<string, JsonSchema>;
}

/** Objects that refer to each other, and unions that refer to themselves through lists. */
const CIRCLES: Readonly<Record<string, JsonSchema>> = {
  Tree: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/Tree' } }] },
  Ping: { type: 'object', properties: { pong: { $ref: '#/$defs/Pong' } } },
  Pong: {
    type: 'object',
    properties: { pings: { type: 'array', items: { $ref: '#/$defs/Ping' } } },
  },
  Json: {
    anyOf: [{ type: 'number' }, { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } }],
  },
};

it.each([
  ['drawn schemas', () => allOf(drawnDefinitions(sized(250), 53))],
  ['chains of references', () => chains(30)],
  ['circles', () => CIRCLES],
  ['unions of up to 200 objects', () => unionsOf(2, 8, 64, 200)],
])(
  'the types of the Zod schemas of %s are complete, and those of types.ts',
  async (_, definitions) => {
    expect(await compileWith('7.0', await deepFiles(definitions()))).toEqual([]);
  },
);
