import { definePrompt, defineResource, defineResourceTemplate } from '@mcp-codegen/runtime/server';
import * as z from 'zod';
import { ORDERS } from './tools/find-order.js';

const orders = defineResource({
  uri: 'shop://orders',
  name: 'orders',
  description: 'The numbers of all orders.',
  mimeType: 'application/json',
  read: () => ({ json: [...ORDERS.keys()] }),
});

const order = defineResourceTemplate({
  uriTemplate: 'shop://orders/{id}',
  name: 'order',
  description: 'One order.',
  mimeType: 'application/json',
  complete: { id: numbersFrom },
  read({ variables: { id } }) {
    const found = ORDERS.get(id);
    // Undefined: there is no such resource.
    return found && { json: found };
  },
});

const orderStatus = definePrompt({
  name: 'order-status',
  description: 'Asks for a friendly message about an order.',
  args: z.object({ id: z.string().describe('The number of the order') }),
  complete: { id: numbersFrom },
  get: ({ args: { id } }) =>
    `Look order ${id} up and tell the customer, in two friendly sentences, where it is.`,
});

/** What a client suggests to a user who types the number of an order. */
function numbersFrom(start: string): string[] {
  return [...ORDERS.keys()].filter((id) => id.startsWith(start));
}

/** What clients can read. */
export const resources = [orders, order];

/** What users can ask the model for. */
export const prompts = [orderStatus];
