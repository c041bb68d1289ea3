import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

import { defineTool, type ToolCall, type ToolOutput } from '../../runtime/server/index.js';
import { audio, image } from './media.js';

/** The suite's plain tools. */

const nothing = z.object({});

function simple(
  name: string,
  run: (call: ToolCall<object>) => ToolOutput | Promise<ToolOutput>,
): ReturnType<typeof defineTool> {
  return defineTool({ name, description: `Fixture ${name}.`, input: nothing, run });
}

const jsonResource = {
  type: 'resource',
  resource: {
    uri: 'test://mixed-content-resource',
    mimeType: 'application/json',
    text: '{"test":"data","value":123}',
  },
} as const;

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const options = ['option1', 'option2', 'option3'];
const titled = ['value1', 'value2', 'value3'].map((value) => ({
  const: value,
  title: `The ${value}`,
}));
const enums = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['One', 'Two', 'Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

function form(name: string, properties: object): ReturnType<typeof defineTool> {
  return simple(name, async ({ task }) => {
    const answer = await task.elicit({
      message: 'Please fill this in',
      requestedSchema: { type: 'object', properties },
    });
    return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
  });
}

async function talkative({ request }: ToolCall<object>): Promise<string> {
  for (const line of [
    'Tool execution started',
    'Tool processing data',
    'Tool execution completed',
  ]) {
    request?.log('info', line);
    await sleep(50);
  }
  return 'Logged';
}

export const plainTools = [
  simple('test_simple_text', () => 'This is a simple text response for testing.'),
  simple('test_image_content', () => ({ content: [image] })),
  simple('test_audio_content', () => ({ content: [audio] })),
  simple('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' },
      },
    ],
  })),
  simple('test_multiple_content_types', () => ({
    content: [{ type: 'text', text: 'Several kinds of content:' }, image, jsonResource],
  })),
  simple('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  simple('test_tool_with_logging', talkative),
  simple('test_logging_tool', talkative),
  simple('test_tool_with_progress', async ({ task }) => {
    for (const progress of [0, 50, 100]) {
      task.progress({ progress, total: 100 });
      await sleep(50);
    }
    return 'Progressed';
  }),
  form('test_elicitation_sep1034_defaults', defaults),
  form('test_elicitation_sep1330_enums', enums),
  defineTool({
    name: 'test_sampling',
    description: 'Asks the model what it is told to.',
    input: z.object({ prompt: z.string() }),
    async run({ args, task }) {
      const { content } = await task.sample({
        messages: [{ role: 'user', content: { type: 'text', text: args.prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${JSON.stringify(content)}`;
    },
  }),
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the user what it is told to.',
    input: z.object({ message: z.string() }),
    async run({ args, task }) {
      const answer = await task.elicit({
        message: args.message,
        requestedSchema: {
          type: 'object',
          properties: { username: { type: 'string' }, email: { type: 'string' } },
          required: ['username', 'email'],
        },
      });
      return `User response: ${JSON.stringify(answer)}`;
    },
  }),
];
