import { expect, it } from 'vitest';
import { askForm } from '../../cli/client/form-prompt.js';
import type { ElicitRequestFormParams } from '../../generated/2025-11-25/index.js';
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
  await when('Send them?', KEYS.enter);
  expect(await answer).toEqual({
    action: 'accept',
    content: { name: 'Ann', size: 'large', likes: ['rum'], sure: false },
  });
  expect(messages()).toContain(
    'Your answers:\n  Name: "Ann"\n  Age: no answer\n  Size: "large"\n  Likes: ["rum"]\n  Sure: false\n',
  );
  expect(messages()).toContain('Who are \\u{1b}[31myou?');
  expect(messages()).not.toContain('\u001b[31myou');
});

it('shows all answers before it sends them, and lets the user change or decline', async () => {
  const { io, when, messages } = openTerminal();
  const answer = askForm(form, { io, signal });
  await when('Answer?', KEYS.enter);
  await when('Name', 'Ann', KEYS.enter);
  await when('Age (may be empty)', '7', KEYS.enter);
  await when('Size', KEYS.enter);
  await when('Likes', KEYS.space, KEYS.enter);
  await when('Sure', KEYS.enter);
  await when('Send them?', KEYS.down, KEYS.enter);
  await when('Name', 'a', KEYS.enter);
  await when('Age (may be empty)', KEYS.enter);
  await when('Size', KEYS.up, KEYS.enter);
  await when('Likes', KEYS.enter);
  await when('Sure', KEYS.enter);
  await when('Send them?', KEYS.down, KEYS.down, KEYS.enter);
  expect(await answer).toEqual({ action: 'decline' });
  expect(messages()).toContain(
    'Your answers:\n  Name: "Anna"\n  Age: 7\n  Size: "small"\n  Likes: ["tea"]\n  Sure: true\n',
  );
});

it('sends the one answer of a short form at once', async () => {
  const { io, when } = openTerminal();
  const properties = { name: form.requestedSchema.properties['name'] as object } as never;
  const short = { ...form, requestedSchema: { type: 'object' as const, properties } };
  const answer = askForm(short, { io, signal });
  await when('Answer?', KEYS.enter);
  await when('Name', 'Ann', KEYS.enter);
  expect(await answer).toEqual({ action: 'accept', content: { name: 'Ann' } });
});

it('takes no for an answer', async () => {
  const declining = openTerminal();
  const declined = askForm(form, { io: declining.io, signal });
  await declining.when('Answer?', KEYS.down, KEYS.enter);
  expect(await declined).toEqual({ action: 'decline' });
});

it.each([
  ['goes back', [KEYS.enter], 'form again'],
  ['cancels the question', [KEYS.down, KEYS.down, KEYS.enter], 'cancelled'],
  ['leaves the task running', [KEYS.down, KEYS.enter], 'left'],
  ['leaves the task running at another Ctrl-C', [KEYS.leave], 'left'],
])('answers nothing at Ctrl-C, but asks, and %s', async (_, keys, expected) => {
  const { io, when } = openTerminal();
  const stop = new AbortController();
  const events: string[] = [];
  const answer = askForm(form, {
    io,
    signal: stop.signal,
    leave: () => {
      events.push('left');
      stop.abort();
    },
  }).then(
    ({ action }) => events.push(action),
    () => undefined,
  );
  await when('Answer?', KEYS.enter);
  await when('Name', KEYS.leave);
  expect(events).toEqual([]);
  await when('The question is not answered.', ...keys);
  if (expected === 'form again') {
    await when('Answer?', KEYS.down, KEYS.enter);
    await answer;
    expect(events).toEqual(['decline']);
  } else {
    await answer;
    expect(events).toEqual([expected === 'left' ? 'left' : 'cancel']);
  }
});

it('a question of a plain call cannot be left for later', async () => {
  const { io, when, messages } = openTerminal();
  const answer = askForm(form, { io, signal });
  await when('Answer?', KEYS.enter);
  await when('Name', KEYS.leave);
  await when('The question is not answered.', KEYS.down, KEYS.enter);
  expect(await answer).toEqual({ action: 'cancel' });
  expect(messages()).not.toContain('answer later');
});

it('takes Ctrl-D for Ctrl-C, and asks no more when the input has ended', async () => {
  const { io, input, when } = openTerminal();
  const answer = askForm(form, { io, signal });
  await when('Answer?', KEYS.enter);
  await when('Name', KEYS.end);
  await when('The question is not answered.', KEYS.enter);
  await when('Answer?');
  input.push(null);
  expect(await answer).toEqual({ action: 'cancel' });
});

it('stops asking when the server no longer waits for the answer', async () => {
  const { io, when } = openTerminal();
  const stop = new AbortController();
  const answer = askForm(form, { io, signal: stop.signal });
  await when('Answer?');
  stop.abort();
  expect(await answer).toEqual({ action: 'cancel' });
});

const feedback = {
  message: 'How was it?',
  requestedSchema: {
    type: 'object' as const,
    properties: {
      text: { type: 'string' as const, title: 'Text' },
      count: { type: 'integer' as const, title: 'Count', default: 3 },
    },
    required: ['text', 'count'],
  },
};

it.each<[string, readonly string[]]>([
  ['marked by the terminal', ['\u001b[200~one\r\ttwo\r\nthree\n\u001b[201~']],
  ['marked, in parts', ['\u001b[200~one\r', '\ttwo\nthr', 'ee\r\u001b[20', '1~']],
  ['in one chunk', ['one\n\ttwo\rthree\r']],
])('keeps all lines of a pasted text, and sends none of them: %s', async (_, chunks) => {
  const { io, when, messages } = openTerminal();
  const answer = askForm(feedback, { io, signal });
  await when('Answer?', KEYS.enter);
  await when('Text', ...chunks);
  await when('three');
  expect(messages()).not.toContain('Count');
  await when('', KEYS.enter);
  await when('Count', KEYS.enter);
  await when('Send them?', ...chunks, KEYS.enter);
  const content = { text: 'one\n\ttwo\nthree', count: 3 };
  expect(await answer).toEqual({ action: 'accept', content });
});

it('shows a default as a hint, which an empty line takes and a typed text replaces', async () => {
  for (const [keys, count] of [
    [[KEYS.enter], 3],
    [['9', KEYS.enter], 9],
    // Programs that type send a line at once.
    [['9\r'], 9],
  ] as const) {
    const { io, when } = openTerminal();
    const answer = askForm(feedback, { io, signal });
    await when('Answer?', KEYS.enter);
    await when('Text', 'x', KEYS.enter);
    await when('Count (Enter takes the default)');
    await when('', ...keys);
    await when('Send them?', KEYS.enter);
    expect(await answer).toEqual({ action: 'accept', content: { text: 'x', count } });
  }
});
