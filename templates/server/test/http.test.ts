import { expect, it } from 'vitest';
import { startTestApp } from './app.js';

it('tells whether it is well', async () => {
  const { url } = await startTestApp();
  const response = await fetch(new URL('/health', url));
  expect(await response.json()).toMatchObject({ status: 'ok', parts: { store: 'ok' } });
});

it('serves no web page of another host', async () => {
  const { url, headers } = await startTestApp();
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, origin: 'https://elsewhere.example' },
  });
  expect(response.status).toBe(403);
});
