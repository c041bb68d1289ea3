import { ResourceTemplate } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import { ORDERS } from './tools/find-order.js';

export function registerResources(mcp: McpServer): void {
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
    ({ href }, { id }) => ({ contents: [json(href, ORDERS.get(String(id)) ?? null)] }),
  );
}

function json(uri: string, value: unknown) {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) };
}
