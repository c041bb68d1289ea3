import { messageOf } from '../../tasks/index.js';

const LONGEST = 200;

/**
 * An error of the SDK, without what it quotes. Its texts end with the message at hand, in which may be
 * anything that a user typed; and its errors carry such values as properties.
 */
export function withoutPayload(error: unknown): Error {
  if (error instanceof SyntaxError) return new Error('Ignored a message that is not JSON');
  const [head = ''] = messageOf(error).split(/[:"'`[{(]/, 1);
  return new Error(head.trim().slice(0, LONGEST) || 'A message could not be handled');
}
