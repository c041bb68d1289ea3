import { setTimeout } from 'node:timers/promises';
import { createTaskServer, defineTool, serveHttp } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

const planTrip = defineTool({
  name: 'plan-trip',
  description: 'Plans a trip, and asks how many people travel.',
  input: z.object({ to: z.string() }),
  // A pattern of a server may take long to check, so the client checks it in a worker.
  output: z.object({
    booking: z.string().regex(/^[A-Z]{2}-\d+$/),
    meals: z.array(z.string()).readonly(),
  }),
  taskSupport: 'optional',
  async run({ args, task }) {
    for (let day = 1; day <= 4; day += 1) {
      task.progress({ progress: day, total: 8, message: `Planning day ${day} in ${args.to}` });
      await setTimeout(500, undefined, { signal: task.signal });
    }
    const { action, content } = await task.elicit({
      message: `Who travels to ${args.to}?`,
      requestedSchema: {
        type: 'object',
        properties: {
          people: { type: 'integer', title: 'People' },
          seat: { type: 'string', title: 'Seat', enum: ['aisle', 'window'] },
          meals: {
            type: 'array',
            title: 'Meals',
            items: { type: 'string', enum: ['breakfast', 'lunch', 'dinner'] },
          },
          insured: { type: 'boolean', title: 'With insurance' },
        },
        required: ['people'],
      },
    });
    if (action !== 'accept') throw new Error('The user does not travel.');
    const { people, meals = [] } = content ?? {};
    return { booking: `MC-${String(people)}`, meals };
  },
});

const server = await createTaskServer({ name: 'trips', version: '1.0.0', tools: [planTrip] });
const { url } = await serveHttp(server, {
  port: Number(process.env['PORT'] ?? 3000),
  // The pages that may call this server.
  allowedOrigins: ['127.0.0.1', 'localhost'],
  // Without authorization, any page of this machine may answer its questions.
  allowUnidentified: true,
  allowUnidentifiedInput: true,
});
console.log(`Serving at ${url}`);
