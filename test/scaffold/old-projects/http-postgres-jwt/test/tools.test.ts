import { describe, expect, it } from 'vitest';
import { connectOnce } from './app.js';

describe.each(['legacy', 'auto'] as const)('tools, for a client of mode %s', (mode) => {
  const connection = connectOnce({ mode });

  it('are listed', async () => {
    const { client } = connection();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['count-words', 'count-primes', 'book-room', 'find-order']),
    );
  });

  it('count words', async () => {
    const { client } = connection();
    const result = await client.callTool({
      name: 'count-words',
      arguments: { text: 'Good  morning, café' },
    });
    expect(result.structuredContent).toEqual({ words: 3, characters: 19 });
  });

  it('count primes', async () => {
    const { client } = connection();
    const result = await client.callTool({ name: 'count-primes', arguments: { limit: 100_000 } });
    expect(result.structuredContent).toEqual({ primes: 9592 });
  });

  it('ask the user which room to book', async () => {
    const { client } = connection();
    const { content } = await client.callTool({
      name: 'book-room',
      arguments: { date: '2030-01-31' },
    });
    expect(content).toEqual([{ type: 'text', text: 'Tower is booked on 2030-01-31.' }]);
  });

  it('say what went wrong', async () => {
    const { client } = connection();
    const known = await client.callTool({ name: 'find-order', arguments: { id: '1002' } });
    expect(known.structuredContent).toEqual({ item: 'Kettle', status: 'sent' });
    const unknown = await client.callTool({ name: 'find-order', arguments: { id: '7' } });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: 'There is no order 7; orders are 1001, 1002' }],
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])('know no order called %s', async (id) => {
    const { client } = connection();
    const unknown = await client.callTool({ name: 'find-order', arguments: { id } });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: `There is no order ${id}; orders are 1001, 1002` }],
    });
  });

  it('refuse arguments that make no sense', async () => {
    const { client } = connection();
    const result = await client.callTool({ name: 'count-primes', arguments: { limit: 'many' } });
    expect(result).toMatchObject({ isError: true });
  });
});
