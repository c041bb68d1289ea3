import { messageOf } from '../../tasks/index.js';

const LONGEST = 200;

/**
 * An error of the SDK, without its quotations. Its texts end with the message that it handled, which may hold
 * what a user typed, and its errors have such values as properties.
 */
export function withoutPayload(error: unknown): Error {
  if (error instanceof SyntaxError) return new Error('Ignored a message that is not JSON');
  const [head = ''] = messageOf(error).split(/[:"'`[{(]/, 1);
  return new Error(head.trim().slice(0, LONGEST) || 'A message could not be handled');
}
