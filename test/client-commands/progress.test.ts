import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createProgressLine, messageOf } from '../../cli/client/progress.js';
import type { ProgressLine } from '../../cli/client/progress.js';
import { openTerminal } from './terminal.js';

const LAST_UPDATED = '2026-01-01T00:00:00Z';

function opened(person: boolean): { progress: ProgressLine; shown: () => string } {
  const { io, messages } = openTerminal({ person });
  return { progress: createProgressLine(io), shown: messages };
}

const working = (statusMessage?: string) => ({
  taskId: 'one',
  status: 'working' as const,
  lastUpdatedAt: LAST_UPDATED,
  ...(statusMessage !== undefined && { statusMessage }),
});

it('draws a bar with percentage and message', async () => {
  const { progress, shown } = opened(true);
  progress.status(working());
  progress.progress({ progress: 1, total: 2, message: 'half \u001b[2J' });
  while (!shown().includes('half')) await setTimeout(5);
  expect(shown()).toContain('\r\u001b[K[############------------]  50 %  half \\u{1b}[2J');
});

it('shows progress in a status message once, as a bar', async () => {
  const { progress, shown } = opened(true);
  progress.status(working('50% (1/2): half'));
  progress.progress({ progress: 1, total: 2, message: 'half' });
  progress.status(working('100% (2/2): all'));
  progress.progress({ progress: 2, total: 2, message: 'all' });
  while (!shown().includes('100 %  all')) await setTimeout(5);
  expect(shown()).not.toContain('(1/2)');
  expect(shown()).not.toContain('(2/2)');
});

it('shows the percentage of a message together with the message', async () => {
  const { progress, shown } = opened(true);
  progress.progress({ progress: 0, total: 3, message: 'starting' });
  while (!shown().includes('0 %  starting')) await setTimeout(5);
  progress.status(working('33% (1/3): one third'));
  while (!shown().includes('one third')) await setTimeout(5);
  expect(shown()).toContain('33 %  one third');
  expect(shown()).not.toContain('0 %  one third');
});

it('shows no number beside the message of another step', async () => {
  const { progress, shown } = opened(true);
  progress.progress({ progress: 0, total: 3, message: 'starting' });
  while (!shown().includes('0 %  starting')) await setTimeout(5);
  progress.status(working('one third done'));
  while (!shown().includes('one third done')) await setTimeout(5);
  expect(shown()).not.toContain('0 %  one third done');
});

it('shows a number without a message of its own beside the status', async () => {
  const { progress, shown } = opened(true);
  progress.progress({ progress: 1, total: 2 });
  progress.status(working('Counting'));
  while (!shown().includes('50 %  Counting')) await setTimeout(5);
  progress.progress({ progress: 2.142857142857143 });
  while (!shown().includes('2.14  Counting')) await setTimeout(5);
});

it('shows no more digits of progress than people read', () => {
  expect(messageOf({ statusMessage: '71% (2.142857142857143/3): Counting' })).toBe('71 % Counting');
  expect(messageOf({ statusMessage: '71% (2.142857142857143/3)' })).toBe('71 %');
  expect(messageOf({ statusMessage: 'Counting' })).toBe('Counting');
});

it.each([
  {
    person: true,
    before: '[####################----]  82 %  Counting',
    after: '\r\u001b[Kcompleted',
  },
  { person: false, before: '82 % Counting\n', after: 'completed\n' },
])('shows no percentage beside the end (terminal: $person)', async ({ person, before, after }) => {
  const { progress, shown } = opened(person);
  progress.progress({ progress: 82, total: 100, message: 'Counting' });
  while (!shown().includes(before)) await setTimeout(5);
  progress.status({ ...working(), status: 'completed' });
  while (!shown().includes('completed')) await setTimeout(5);
  expect(shown().endsWith(before + after)).toBe(true);
});

it('merges quick changes into one line without a terminal', async () => {
  const { progress, shown } = opened(false);
  progress.status(working());
  for (let done = 0; done < 1_000; done += 1) {
    progress.progress({ progress: done, total: 1_001, message: 'Counting' });
  }
  expect(shown()).toBe('working\n');
  while (!shown().includes('99 %')) await setTimeout(20);
  expect(shown()).toBe('working\n99 % Counting\n');
  progress.progress({ progress: 1_001, total: 1_001, message: 'Counting' });
  expect(shown()).toBe('working\n99 % Counting\n100 % Counting\n');
});
