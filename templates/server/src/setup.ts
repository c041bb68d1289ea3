import { ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ORDERS } from './tools/find-order.js';

/** What the server offers beside its tools. Called for each session, and for each request of 2026-07-28. */
export function setup(mcp: McpServer): void {
  registerResources(mcp);
  registerPrompts(mcp);
}

function registerResources(mcp: McpServer): void {
  mcp.registerResource(
    'orders',
    'shop://orders',
    { description: 'The numbers of all orders.', mimeType: 'application/json' },
    ({ href }) => ({ contents: [json(href, [...ORDERS.keys()])] }),
  );
  mcp.registerResource(
    'order',
    new ResourceTemplate('shop://orders/{id}', { list: undefined }),
    { description: 'One order.', mimeType: 'application/json' },
    ({ href }, { id }) => {
      const order = ORDERS.get(String(id));
      if (order === undefined) throw new ResourceNotFoundError(href);
      return { contents: [json(href, order)] };
    },
  );
}

function json(uri: string, value: unknown) {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) };
}

function registerPrompts(mcp: McpServer): void {
  mcp.registerPrompt(
    'order-status',
    {
      description: 'Asks for a friendly message about an order.',
      argsSchema: z.object({ id: z.string() }),
    },
    ({ id }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Look order ${id} up and tell the customer, in two friendly sentences, where it is.`,
          },
        },
      ],
    }),
  );
}
