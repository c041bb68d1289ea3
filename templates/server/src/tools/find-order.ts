import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';

interface Order {
  readonly item: string;
  readonly status: 'packed' | 'sent' | 'delivered';
}

/** Stands for your database. */
export const ORDERS: ReadonlyMap<string, Order> = new Map([
  ['1001', { item: 'Teapot', status: 'delivered' }],
  ['1002', { item: 'Kettle', status: 'sent' }],
]);

/** A tool that can fail: what it throws is for the model to read. */
export const findOrder = defineTool({
  name: 'find-order',
  description: 'Tells what was ordered, and where it is.',
  input: z.strictObject({ id: z.string() }),
  output: z.object({ item: z.string(), status: z.enum(['packed', 'sent', 'delivered']) }),
  annotations: { readOnlyHint: true },
  run({ args: { id } }) {
    const order = ORDERS.get(id);
    if (!order)
      throw new Error(`There is no order ${id}; orders are ${[...ORDERS.keys()].join(', ')}`);
    return { ...order };
  },
});
