import { expect, it } from 'vitest';
import { askUrl } from '../../cli/client/prompter.js';
import { KEYS, openTerminal } from './terminal.js';

const { signal } = new AbortController();

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
  expect(messages()).toContain('look like those of another address');
});

it('warns of no name in plain letters', async () => {
  const { io, when, messages } = openTerminal();
  const url = 'https://shop.example/xn--x';
  const params = { mode: 'url', elicitationId: '1', message: 'Pay', url } as const;
  const answer = askUrl(params, { io, signal });
  await when('Open it in the browser?', KEYS.down, KEYS.enter);
  await answer;
  expect(messages()).not.toContain('look like');
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
