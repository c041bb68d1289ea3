import * as z from 'zod';

import { definePrompt } from '../../runtime/server/index.js';
import { image } from './media.js';

const says = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;

/** The suite's prompts. */
export const prompts = [
  definePrompt({
    name: 'test_simple_prompt',
    description: 'Without arguments.',
    get: () => 'This is a simple prompt for testing.',
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'With arguments.',
    args: z.object({ arg1: z.string(), arg2: z.string() }),
    complete: { arg1: (value) => [`${value}-completed`] },
    get: ({ args: { arg1, arg2 } }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource.',
    args: z.object({ resourceUri: z.string() }),
    get: ({ args: { resourceUri: uri } }) => [
      {
        role: 'user',
        content: { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } },
      },
      says('Please process the embedded resource above.'),
    ],
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'With an image.',
    get: () => [{ role: 'user', content: image }, says('Please analyze the image above.')],
  }),
  definePrompt({
    name: 'test_input_required_result_prompt',
    description: 'Asks first.',
    async get({ elicit }) {
      const requestedSchema = {
        type: 'object',
        properties: { context: { type: 'string' } },
        required: ['context'],
      };
      const message = 'What context should the prompt use?';
      await elicit({ message, requestedSchema }, { key: 'user_context' });
      return 'With the context that was given.';
    },
  }),
];
