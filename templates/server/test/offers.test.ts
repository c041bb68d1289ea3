import { expect, it } from 'vitest';
import { connect } from './app.js';

it('offers orders as resources', async () => {
  const { client } = await connect({ mode: 'auto' });
  const { contents } = await client.readResource({ uri: 'shop://orders/1001' });
  expect(contents).toMatchObject([{ text: '{"item":"Teapot","status":"delivered"}' }]);
});

it('offers a prompt', async () => {
  const { client } = await connect({ mode: 'auto' });
  const { messages } = await client.getPrompt({ name: 'order-status', arguments: { id: '1001' } });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
});
