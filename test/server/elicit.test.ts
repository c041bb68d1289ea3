import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

import { defineTool, type ServerTool, type TaskControls } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { connect, transportTo, WAYS } from '../client/harness.js';
import { type Kind, type Dialect } from '../client/harness.js';
import { rig } from './support.js';

const message = 'Which room?';

function asking(ask: (task: TaskControls) => Promise<unknown>): ServerTool {
  return defineTool({
    name: 'book',
    description: 'Asks.',
    input: z.object({}),
    taskSupport: 'optional',
    retryable: true,
    run: async ({ task }) => JSON.stringify(await ask(task)),
  });
}

/** What the tool got, and the form that the client was shown. */
async function asked(
  [dialect, kind]: readonly [Dialect, Kind],
  asTask: boolean,
  ask: (task: TaskControls) => Promise<unknown>,
  answers: readonly JsonObject[],
) {
  const shown: unknown[] = [];
  const rigged = await rig({ tools: [asking(ask)] });
  const { tasks } = await connect(transportTo(rigged, kind), dialect, {
    answer: {
      form({ requestedSchema }) {
        shown.push(requestedSchema);
        return (answers[shown.length - 1] ?? { action: 'cancel' }) as { action: 'accept' };
      },
    },
  });
  const { content } = await tasks.call('book', {}, { asTask });
  const [{ text } = { text: '' }] = content as { text: string }[];
  return { shown, got: JSON.parse(text) as unknown };
}

const room = z.object({
  name: z.string().min(1).max(40).describe('Who comes'),
  people: z.int().min(1).max(8).default(2),
  size: z.enum(['small', 'large']),
  extras: z.array(z.enum(['screen', 'coffee'])).optional(),
  mail: z.email().optional(),
  quiet: z.boolean().optional(),
  floor: z.union([z.literal('first'), z.literal('second')]).optional(),
});

describe.each(WAYS.flatMap((way) => [[way, false] as const, [way, true] as const]))(
  'a schema of a library as a form, %s, as a task: %s',
  (way, asTask) => {
    it('is shown with what forms can say, and the answer is parsed', async () => {
      const content = { name: 'Ann', size: 'small', extras: ['screen'], mail: 'a@b.example' };
      const { shown, got } = await asked(
        way,
        asTask,
        (task) => task.elicit({ message, requestedSchema: room }),
        [{ action: 'accept', content }],
      );
      expect(got).toMatchObject({ action: 'accept', content: { ...content, people: 2 } });
      expect(shown).toEqual([
        {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Who comes', minLength: 1, maxLength: 40 },
            people: { type: 'integer', default: 2, minimum: 1, maximum: 8 },
            size: { type: 'string', enum: ['small', 'large'] },
            extras: { type: 'array', items: { type: 'string', enum: ['screen', 'coffee'] } },
            mail: { type: 'string', format: 'email' },
            quiet: { type: 'boolean' },
            floor: { type: 'string', enum: ['first', 'second'] },
          },
          required: ['name', 'size'],
        },
      ]);
    });

    it('accepts a form without content, where no field is required', async () => {
      const { got } = await asked(
        way,
        asTask,
        (task) =>
          task.elicit({ message, requestedSchema: z.object({ a: z.string().default('x') }) }),
        [{ action: 'accept' }],
      );
      expect(got).toMatchObject({ action: 'accept', content: { a: 'x' } });
    });

    it('leaves a refusal as it is', async () => {
      const { got } = await asked(
        way,
        asTask,
        (task) => task.elicit({ message, requestedSchema: room }),
        [{ action: 'decline' }],
      );
      expect(got).toMatchObject({ action: 'decline' });
    });

    it('checks what forms cannot say, and names the field without its value', async () => {
      const secret = z.object({ pin: z.string().regex(/^\d{4}$/) });
      const { got } = await asked(
        way,
        asTask,
        (task) =>
          task
            .elicit({ message, requestedSchema: secret })
            .catch((error: unknown) => (error as Error).message),
        [{ action: 'accept', content: { pin: 'hunter2' } }],
      );
      expect(got).toBe('Invalid answer: /content/pin is not what the form asks for');
    });
  },
);

it.each([
  ['an object in it', z.object({ a: z.object({}) }), '/properties/a'],
  ['a list of texts', z.object({ a: z.array(z.string()) }), '/properties/a'],
  ['a union', z.object({ b: z.union([z.string(), z.number()]) }), '/properties/b'],
  ['alternatives', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), ''],
  ['a date', z.object({ a: z.date() }), '/properties/a'],
])('a schema with %s is refused with its place', async (_, requestedSchema, place) => {
  const { got } = await asked(
    ['core', 'stdio'],
    false,
    (task) =>
      task
        .elicit({ message, requestedSchema })
        .catch((error: unknown) => `${(error as Error).name}: ${(error as Error).message}`),
    [],
  );
  expect(got).toContain(`TypeError: task.elicit: \`requestedSchema\`${place && ` at ${place}`}: `);
  expect(got).toContain('Mend: ');
});

it('the content has the types of the form', () => {
  const types = async (task: TaskControls): Promise<void> => {
    const form = await task.elicit({
      message,
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1 },
          people: { type: 'integer' },
          price: { type: 'number' },
          quiet: { type: 'boolean' },
          size: { type: 'string', enum: ['small', 'large'] },
          floor: { type: 'string', oneOf: [{ const: '1', title: 'First' }] },
          extras: { type: 'array', items: { type: 'string', enum: ['screen', 'coffee'] } },
          titled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
        },
        required: ['name', 'size', 'extras'],
      },
    });
    if (form.action === 'accept') {
      expectTypeOf(form.content).toEqualTypeOf<{
        readonly name: string;
        readonly size: 'small' | 'large';
        readonly extras: readonly ('screen' | 'coffee')[];
        readonly people?: number;
        readonly price?: number;
        readonly quiet?: boolean;
        readonly floor?: '1';
        readonly titled?: readonly 'a'[];
      }>();
    } else {
      expectTypeOf(form.content).toEqualTypeOf<undefined>();
    }
    const ofZod = await task.elicit({ message, requestedSchema: room });
    if (ofZod.action === 'accept') {
      expectTypeOf(ofZod.content).toEqualTypeOf<z.output<typeof room>>();
    }
    const loose: JsonObject = { message };
    expectTypeOf((await task.elicit(loose)).content).toEqualTypeOf<JsonObject | undefined>();
    const url = await task.elicit({
      mode: 'url',
      message,
      url: 'https://a.example',
      elicitationId: 'a',
    });
    expectTypeOf(url.content).toEqualTypeOf<JsonObject | undefined>();
  };
  expect(types).toBeTypeOf('function');
});
