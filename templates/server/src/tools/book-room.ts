import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';

const ROOMS = ['Garden', 'Library', 'Tower'] as const;
const Answer = z.object({ room: z.enum(ROOMS) });

/** A tool that asks the user mid-way. As a task it waits for as long as the task lives. */
export const bookRoom = defineTool({
  name: 'book-room',
  description: 'Books a meeting room; the user chooses which.',
  input: z.strictObject({
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .describe('Such as 2026-12-24'),
  }),
  taskSupport: 'optional',
  asks: ['elicitation.form'],
  // Nothing has been done yet when the answer comes, so it may start again with it.
  retryable: true,
  async run({ args: { date }, task }) {
    const { action, content } = await task.elicit({
      message: `Which room on ${date}?`,
      requestedSchema: {
        type: 'object',
        properties: { room: { type: 'string', title: 'Room', enum: [...ROOMS] } },
        required: ['room'],
      },
    });
    if (action !== 'accept') return 'No room was booked.';
    const { room } = Answer.parse(content);
    return `${room} is booked on ${date}.`;
  },
});
