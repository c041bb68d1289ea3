import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

import { loginFetch } from '../../runtime/client/node/discovery.js';
import { httpFetch } from '../../runtime/client/node/index.js';

async function listening(serve: RequestListener): Promise<string> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const read = async (response: Response): Promise<string> => response.text();

it('sends a text, and gets status, headers, body and address', async () => {
  const url = await listening((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const got = [request.method, request.headers['x-a'], request.headers['content-length'], text];
      response.writeHead(201, { 'x-b': 'b' }).end(JSON.stringify(got));
    });
  });
  const headers = { 'x-a': 'a' };
  const response = await httpFetch()(url, { method: 'POST', headers, body: 'é' });
  expect([response.status, response.ok, response.url]).toEqual([201, true, url]);
  expect(response.headers.get('x-b')).toBe('b');
  expect(await response.json()).toEqual(['POST', 'a', '2', 'é']);
});

it.each([202, 204, 304])('has no body with status %d', async (status) => {
  const url = await listening((_, response) => response.writeHead(status).end());
  expect(await read(await httpFetch()(url))).toBe('');
});

/** What a reader sees: two ways of reading, one after the other, with the errors of the second. */
const READERS: Readonly<Record<string, (response: Response) => unknown>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  buffer: async (response) => [...new Uint8Array(await response.arrayBuffer())],
  // Newer than Node.js 20.
  ...('bytes' in Response.prototype && {
    bytes: async (response: unknown) => [
      ...(await (response as { bytes: () => Promise<Uint8Array> }).bytes()),
    ],
  }),
  blob: async (response) => (await response.blob()).text(),
  form: (response) => response.formData(),
  clone: (response) => response.clone().text(),
  stream: async (response) => {
    let read = '';
    for await (const chunk of response.body ?? []) read += new TextDecoder().decode(chunk);
    return read;
  },
  canceled: (response) => response.body?.cancel(),
  used: (response) => response.bodyUsed,
};
const pairs = Object.keys(READERS).flatMap((first) =>
  Object.keys(READERS).map((second) => ({ first, second })),
);

it.each(['{"a":"é"}', '{"a":', ''])('reads %j as the fetch of Node.js does', async (body) => {
  const type = { 'content-type': 'application/json' };
  const url = await listening((_, response) => response.writeHead(200, type).end(body));
  for (const { first, second } of pairs) {
    const seen = [httpFetch(), fetch].map(async (fetched) => {
      const response = await fetched(url);
      const outcomes: unknown[] = [response.bodyUsed];
      for (const name of [first, second]) {
        try {
          outcomes.push(await READERS[name]?.(response), response.bodyUsed);
        } catch (error) {
          outcomes.push((error as Error).name, response.bodyUsed);
        }
      }
      return outcomes;
    });
    const [ours, theirs] = await Promise.all(seen);
    expect({ first, second, outcomes: ours }).toEqual({ first, second, outcomes: theirs });
  }
});

it('follows no redirect', async () => {
  const url = await listening((_, response) => response.writeHead(302, { location: '/' }).end());
  const response = await httpFetch()(url);
  expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
});

it('fails a body that is longer than maxMessageBytes, and reads the start of an error', async () => {
  const long = await listening((_, response) => response.end('x'.repeat(2_000)));
  await expect(httpFetch({ maxMessageBytes: 1_000 })(long)).rejects.toThrow(
    'more than 1000 bytes (maxMessageBytes)',
  );
  const failed = await listening((_, response) =>
    response.writeHead(500).end('x'.repeat(1_000_000)),
  );
  expect((await read(await httpFetch()(failed))).length).toBe(16 * 1024);
});

it('fails with the reason of its signal, also while the body comes', async () => {
  const url = await listening((_, response) => {
    response.writeHead(200, { 'content-type': 'Text/Event-Stream' }).write('data: 1\n\n');
  });
  const reason = new Error('Enough');
  await expect(httpFetch()(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const response = await httpFetch()(url, { signal: stop.signal });
  const reading = expect(read(response)).rejects.toThrow();
  stop.abort(reason);
  await reading;
});

it.each(['127.0.0.1', 'localhost'])(
  'names %s when nothing listens there, with the cause',
  async (host) => {
    await expect(httpFetch()(`http://${host}:9/mcp?secret`)).rejects.toMatchObject({
      name: 'TypeError',
      message: `Cannot connect to http://${host}:9: connection refused. Is the server running?`,
      cause: { code: 'ECONNREFUSED' },
    });
  },
);

it('shows the message of Node.js for other reasons', async () => {
  const url = await listening((_, response) => response.end());
  const attempt = httpFetch()(url.replace('http:', 'https:'));
  await expect(attempt).rejects.toThrow(/^Cannot connect to https:\/\/[\d.:]+: .*(SSL|EPROTO)/);
});

it('reads an answer whose reason phrase is not UTF-8, and refuses an unknown status', async () => {
  /** A server that sends these bytes. */
  async function sending(bytes: string): Promise<string> {
    const server = createTcpServer((socket) => void socket.end(bytes, 'latin1'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }
  const body = 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
  const response = await httpFetch()(await sending(`HTTP/1.1 200 Gew\xe4hrt\r\n${body}`));
  expect(await response.json()).toEqual({});
  await expect(httpFetch()(await sending(`HTTP/1.1 600 Odd\r\n${body}`))).rejects.toThrow(
    'The server answered with the unknown HTTP status 600',
  );
});

it('fails JSON that is not UTF-8', async () => {
  const url = await listening((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(Buffer.of(0x22, 0xff, 0x22));
  });
  await expect(httpFetch()(url)).rejects.toThrow('is not JSON in UTF-8');
});

it.each([301, 302, 303, 307, 308])(
  'a login posts its secrets to no other address (%i), and finds documents that moved',
  async (status) => {
    const asked: (string | undefined)[] = [];
    const other = await listening((request, response) => {
      asked.push(request.method);
      response.end('{}');
    });
    const url = await listening((_request, response) => {
      response.writeHead(status, { location: other }).end();
    });
    const posted = await loginFetch()(url, { method: 'POST', body: 'client_secret=s' });
    expect([posted.status, asked]).toEqual([status, []]);
    expect([(await loginFetch()(url)).status, asked]).toEqual([200, ['GET']]);
  },
);
