import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

export function registerPrompts(mcp: McpServer): void {
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
