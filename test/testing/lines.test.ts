import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { linesChannel } from '../../runtime/testing/lines.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const [received, errors]: [unknown[], string[]] = [[], []];
  const channel = await linesChannel(
    input,
    output,
    ({ message }) => void errors.push(message),
  )((message) => void received.push(message));
  return { input, output, received, errors, channel };
}

it('reads messages that come in pieces, and several at once', async () => {
  const { input, received } = await open();
  const bytes = Buffer.from('{"text":"caf\u00e9\u2028\u{1f600}"}\n{"a":1}\r\n\n{"b":2}\n');
  for (const byte of bytes) input.write(Buffer.from([byte]));
  await settle();
  expect(received).toEqual([{ text: 'caf\u00e9\u2028\u{1f600}' }, { a: 1 }, { b: 2 }]);
});

it('reports lines that are not JSON, shortened', async () => {
  const { input, received, errors } = await open();
  input.write(`Listening ${'.'.repeat(1_000)}\n{"a":1}\n`);
  await settle();
  expect(received).toEqual([{ a: 1 }]);
  expect(errors).toEqual([`The server wrote a line that is not JSON: Listening ${'.'.repeat(90)}`]);
});

it('writes a line for each message, and is gone when the server ends', async () => {
  const { input, output, channel } = await open();
  await channel.send({ a: 1 }, '{"a":1}');
  expect(String(output.read())).toBe('{"a":1}\n');
  expect(channel.gone.aborted).toBe(false);
  input.end();
  await settle();
  await settle();
  expect(channel.gone.aborted).toBe(true);
});

it('rejects a message that cannot be written', async () => {
  const { output, channel } = await open();
  output.destroy();
  await expect(channel.send({}, '{}')).rejects.toThrow();
});

it('is gone at once when the server has ended before', async () => {
  const input = new PassThrough();
  input.destroy();
  const channel = await linesChannel(input, new PassThrough(), () => undefined)(() => undefined);
  expect(channel.gone.aborted).toBe(true);
});
