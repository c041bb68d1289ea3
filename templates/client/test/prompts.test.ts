import { expect, it } from 'vitest';
import { askForm, askStop, askUrl } from '../src/ask.js';
import type { ElicitRequestFormParams } from '@mcp-codegen/runtime/2025-11-25';
import { KEYS, openTerminal } from './terminal.js';

const { signal } = new AbortController();

const form: ElicitRequestFormParams = {
  message: 'Who are \u001b[31myou?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      age: { type: 'integer', title: 'Age' },
      size: { type: 'string', title: 'Size', enum: ['small', 'large'], default: 'large' },
      likes: {
        type: 'array',
        title: 'Likes',
        items: { type: 'string', enum: ['tea', 'rum'] },
        minItems: 1,
      },
      sure: { type: 'boolean', title: 'Sure' },
    },
    required: ['name', 'likes', 'sure'],
  },
};

it('asks field by field, and again for what does not fit', async () => {
  const { io, when, messages } = openTerminal();
  const answer = askForm(form, { io, signal });
  await when('Answer?', KEYS.enter);
  await when('Name', 'A', KEYS.enter);
  await when('At least 2 characters.', 'nn', KEYS.enter);
  await when('Age (may be empty)', KEYS.enter);
  await when('Size', KEYS.enter);
  await when('Likes', KEYS.enter);
  await when('Choose at least 1.');
  await when('Likes', KEYS.down, KEYS.space, KEYS.enter);
  await when('Sure', KEYS.down, KEYS.enter);
  expect(await answer).toEqual({
    action: 'accept',
    content: { name: 'Ann', size: 'large', likes: ['rum'], sure: false },
  });
  expect(messages()).toContain('Who are \\u{1b}[31myou?');
  expect(messages()).not.toContain('\u001b[31myou');
});

it('takes no for an answer, and silence', async () => {
  const declining = openTerminal();
  const declined = askForm(form, { io: declining.io, signal });
  await declining.when('Answer?', KEYS.down, KEYS.enter);
  expect(await declined).toEqual({ action: 'decline' });
  const leaving = openTerminal();
  const left = askForm(form, { io: leaving.io, signal });
  await leaving.when('Answer?', KEYS.enter);
  await leaving.when('Name', KEYS.leave);
  expect(await left).toEqual({ action: 'cancel' });
});

it('shows an address in full, as a browser reads it, and opens nothing unasked', async () => {
  const { io, when, messages } = openTerminal();
  const answer = askUrl(
    {
      mode: 'url',
      elicitationId: '1',
      message: 'Pay',
      url: 'https://раураl.example/x?token=1#\u202ey',
    },
    { io, signal },
  );
  await when('Open it in the browser?', KEYS.down, KEYS.enter);
  expect(await answer).toEqual({ action: 'accept' });
  expect(messages()).toContain('https://xn--l-7sba6dbr.example/x?token=1#%E2%80%AEy');
  expect(messages()).toContain('This leads to xn--l-7sba6dbr.example.');
});

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address'])(
  'visits no %s',
  async (url) => {
    const { io } = openTerminal();
    const answer = askUrl(
      { mode: 'url', elicitationId: '1', message: 'Look', url },
      { io, signal },
    );
    expect(await answer).toEqual({ action: 'decline' });
  },
);

it.each([
  [[KEYS.enter], 'detach'],
  [[KEYS.down, KEYS.enter], 'cancel'],
  [[KEYS.down, KEYS.down, KEYS.enter], 'go on'],
  [[KEYS.leave], 'detach'],
])('asks what becomes of a task: %j means %s', async (keys, expected) => {
  const { io, when } = openTerminal();
  const choice = askStop({ io, signal });
  await when('The task is running.', ...keys);
  expect(await choice).toBe(expected);
});

it('stops asking when nobody waits for the answer', async () => {
  const { io, when } = openTerminal();
  const stop = new AbortController();
  const answer = askForm(form, { io, signal: stop.signal });
  await when('Answer?');
  stop.abort();
  expect(await answer).toEqual({ action: 'cancel' });
});
