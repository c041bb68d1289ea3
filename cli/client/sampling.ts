import { text } from '@clack/prompts';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
} from '../../generated/2025-11-25/index.js';
import { kept } from './paste.js';
import { answered, choose, indented, untilAnswered } from './prompts.js';
import type { Prompting } from './prompts.js';

/**
 * Answers `sampling/createMessage`: the user reads the messages and writes the reply. To let a language
 * model reply, call it here, and show the user what is sent to it.
 */
export async function createMessage(
  { systemPrompt, messages }: CreateMessageRequestParams,
  prompting: Prompting,
): Promise<CreateMessageResult> {
  const shown = [
    ...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]),
    ...messages.map(messageText),
  ];
  prompting.io.err.write(`\nThe server asks for a reply:\n${indented(shown.join('\n'))}\n`);
  const ask = async (): Promise<CreateMessageResult> => {
    const wanted = await choose(
      'Reply?',
      [
        { value: 'reply', label: 'Reply' },
        { value: 'decline', label: 'Decline' },
      ],
      prompting,
    );
    if (wanted === 'decline') return declined();
    const reply = await answered(
      prompting,
      (streams) => text({ message: 'Your reply', ...streams }),
      kept,
    );
    return { model: 'user', role: 'assistant', content: { type: 'text', text: reply } };
  };
  return await untilAnswered(ask, declined, prompting);
}

/** The code of the specification for a request that the user rejects. */
const REJECTED = -1;

function declined(): never {
  throw Object.assign(new Error('The user declined the sampling request'), { code: REJECTED });
}

function messageText({ role, content }: SamplingMessage): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`));
  return `${role}: ${texts.join(' ')}`;
}
