import * as z from 'zod';
import { createTaskServer, defineTool, serveStdio } from '../../runtime/server/index.js';

/** A server in a process of its own whose arguments, results and questions have formats, patterns, lengths and enums. */

const account = z.object({
  id: z.uuid(),
  site: z.url(),
  mail: z.email(),
  since: z.iso.datetime(),
  plan: z.enum(['free', 'paid']),
  code: z.string().regex(/^[A-Z]{3}-\d{4}$/),
  nick: z.string().min(3).max(8),
  token: z.uuid(),
  secretUri: z.url(),
  secretMail: z.email(),
  tokenExpires: z.iso.datetime(),
  apiKey: z.string().regex(/^[A-Z]{3}-\d{4}$/),
  password: z.string().min(4).max(8),
  pin: z.int().min(1000).max(9999),
  authPlan: z.enum(['free', 'paid']),
  sessions: z.array(z.object({ sessionId: z.uuid(), isSecret: z.literal(true) })).min(1),
});

const server = await createTaskServer({
  name: 'formats',
  version: '1.0.0',
  tools: [
    defineTool({
      name: 'sign_in',
      description: 'Returns an account',
      input: account,
      output: account,
      run: ({ args }) => args,
    }),
    defineTool({
      name: 'sign_up',
      description: 'Asks who the user is',
      retryable: true,
      input: z.object({}),
      output: z.object({ action: z.enum(['accept', 'decline', 'cancel']) }),
      async run({ task }) {
        const { action } = await task.elicit({
          message: 'Who are you?',
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string', minLength: 2, maxLength: 9 },
              mail: { type: 'string', format: 'email' },
              site: { type: 'string', format: 'uri' },
              since: { type: 'string', format: 'date-time' },
              plan: { type: 'string', enum: ['free', 'paid'], default: 'free' },
              age: { type: 'integer', minimum: 18, default: 20 },
            },
            required: ['name', 'mail', 'site', 'since', 'plan', 'age'],
          },
        });
        return { action };
      },
    }),
  ],
});
await serveStdio(server).closed;
await server.close();
