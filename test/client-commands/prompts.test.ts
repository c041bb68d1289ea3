import { expect, it } from 'vitest';
import { askStop } from '../../cli/client/prompts.js';
import { KEYS, openTerminal } from './terminal.js';

const { signal } = new AbortController();

it.each([
  [[KEYS.enter], 'detach'],
  [[KEYS.down, KEYS.enter], 'cancel'],
  [[KEYS.down, KEYS.down, KEYS.enter], 'go on'],
  [[KEYS.leave], 'detach'],
  [[KEYS.end], 'detach'],
])('asks what becomes of a task: %j means %s', async (keys, expected) => {
  const { io, when } = openTerminal();
  const choice = askStop({ io, signal });
  await when('The task is running.', ...keys);
  expect(await choice).toBe(expected);
});
