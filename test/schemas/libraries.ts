import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';

import { defineTool, jsonSchema } from '../../runtime/server/index.js';

/** One tool in each library, with the same arguments: a city and, if given, a number of days from 1 to 14. */

interface Forecast {
  city: string;
  days?: number | undefined;
}

const describes = (library: string) => ({
  name: library,
  description: `Its schemas are of ${library}.`,
  taskSupport: 'optional' as const,
});

function answer({ city, days = 1 }: Forecast): { text: string } {
  return { text: `${city.toUpperCase()} for ${days}` };
}

export const byLibrary = [
  defineTool({
    ...describes('zod'),
    input: z.object({ city: z.string().min(1), days: z.int().min(1).max(14).optional() }),
    output: z.object({ text: z.string() }),
    run: ({ args }) => answer(args),
  }),
  defineTool({
    ...describes('arktype'),
    input: type({ city: 'string >= 1', 'days?': '1 <= number.integer <= 14' }),
    output: type({ text: 'string' }),
    run: ({ args }) => answer(args),
  }),
  defineTool({
    ...describes('valibot'),
    input: toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.minLength(1)),
        days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14))),
      }),
    ),
    output: toStandardJsonSchema(v.object({ text: v.string() })),
    run: ({ args }) => answer(args),
  }),
  defineTool({
    ...describes('json-schema'),
    input: jsonSchema<Forecast>({
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1 },
        days: { type: 'integer', minimum: 1, maximum: 14 },
      },
      required: ['city'],
    }),
    output: jsonSchema<{ text: string }>({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    }),
    run: ({ args }) => answer(args),
  }),
  defineTool({
    ...describes('draft-07'),
    input: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { city: { $ref: '#/definitions/name' }, days: { $ref: '#/definitions/days' } },
      required: ['city'],
      definitions: {
        name: { type: 'string', minLength: 1 },
        days: { type: 'integer', minimum: 1, maximum: 14 },
      },
    },
    run: ({ args }) => answer(args as unknown as Forecast).text,
  }),
];
