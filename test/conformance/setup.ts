import {
  completable,
  inputRequired,
  type McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

import { image, PIXEL } from './media.js';

/** The suite's resources and prompts, registered with the SDK. */
export function setup(mcp: McpServer): void {
  mcp.server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  resources(mcp);
  prompts(mcp);
}

function resources(mcp: McpServer): void {
  const text = { mimeType: 'text/plain' };
  mcp.registerResource('static text', 'test://static-text', text, ({ href }) => ({
    contents: [{ uri: href, ...text, text: 'The content of a static text resource.' }],
  }));
  mcp.registerResource('watched', 'test://watched-resource', text, ({ href }) => ({
    contents: [{ uri: href, ...text, text: 'Worth watching.' }],
  }));
  const binary = { mimeType: 'image/png' };
  mcp.registerResource('static binary', 'test://static-binary', binary, ({ href }) => ({
    contents: [{ uri: href, ...binary, blob: PIXEL }],
  }));
  const json = { mimeType: 'application/json' };
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  mcp.registerResource('template', template, json, ({ href }, { id }) => ({
    contents: [{ uri: href, ...json, text: JSON.stringify({ id, templateTest: true }) }],
  }));
  mcp.server.setRequestHandler('resources/subscribe', () => ({}));
  mcp.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function prompts(mcp: McpServer): void {
  const says = (text: string) => ({
    role: 'user' as const,
    content: { type: 'text' as const, text },
  });
  mcp.registerPrompt('test_simple_prompt', { description: 'Without arguments.' }, () => ({
    messages: [says('This is a simple prompt for testing.')],
  }));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With arguments.',
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => [`${value}-completed`]),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' },
          },
        },
        says('Please process the embedded resource above.'),
      ],
    }),
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () => ({
    messages: [{ role: 'user', content: image }, says('Please analyze the image above.')],
  }));
  mcp.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, (ctx) => {
    if (ctx.mcpReq.inputResponses?.['user_context'] !== undefined) {
      return { messages: [says('With the context that was given.')] };
    }
    return inputRequired({
      inputRequests: {
        user_context: inputRequired.elicit({
          message: 'What context should the prompt use?',
          requestedSchema: {
            type: 'object',
            properties: { context: { type: 'string' } },
            required: ['context'],
          },
        }),
      },
    });
  });
}
