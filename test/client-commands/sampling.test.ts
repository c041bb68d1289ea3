import { expect, it } from 'vitest';
import { createMessage } from '../../cli/client/prompter.js';
import type { CreateMessageRequestParams } from '../../generated/2025-11-25/index.js';
import { KEYS, openTerminal } from './terminal.js';

const { signal } = new AbortController();
const params: CreateMessageRequestParams = {
  systemPrompt: 'Be brief',
  messages: [{ role: 'user', content: { type: 'text', text: 'What is \u001b[31mred?' } }],
  maxTokens: 10,
};

it('shows the messages and returns what the user writes', async () => {
  const { io, when, messages } = openTerminal();
  const result = createMessage(params, { io, signal });
  await when('Reply?', KEYS.enter);
  await when('Your reply', 'A colour', KEYS.enter);
  expect(await result).toEqual({
    model: 'user',
    role: 'assistant',
    content: { type: 'text', text: 'A colour' },
  });
  expect(messages()).toContain('system: Be brief');
  expect(messages()).toContain('user: What is \\u{1b}[31mred?');
});

it('rejects when the user declines', async () => {
  const { io, when } = openTerminal();
  const result = createMessage(params, { io, signal });
  const rejected = expect(result).rejects.toMatchObject({
    code: -1,
    message: expect.stringContaining('declined') as string,
  });
  await when('Reply?', KEYS.down, KEYS.enter);
  await rejected;
});
