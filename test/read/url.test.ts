import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, loadSchema } from '../../generator/read/load/index.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A local server with given answers. */
async function serve(answer: RequestListener): Promise<string> {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((started.address() as AddressInfo).port)}`;
}

const failure = (code: string): object => ({ diagnostics: [{ code, severity: 'error' }] });

describe('a schema from a URL', () => {
  it('is read and named after its file', async () => {
    const url = await serve((_, response) => response.end('{"$defs":{"A":{"type":"string"}}}'));
    const { document } = await loadSchema(`${url}/some/My%20Ext.schema.json?v=1`);
    expect(document.name).toBe('My-20Ext');
    expect([...document.definitions.keys()]).toEqual(['A']);
  });

  it('is refused when the server answers with an error', async () => {
    const url = await serve((_, response) => {
      response.statusCode = 404;
      response.end('{"$defs":{"A":{}}}');
    });
    await expect(loadSchema(`${url}/x.json`)).rejects.toMatchObject(failure('fetch-failed'));
  });

  it('is refused at a port that fetch refuses', async () => {
    await expect(loadSchema('http://127.0.0.1:6000/x.json')).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'fetch-failed',
          message:
            'Cannot read "http://127.0.0.1:6000/x.json": fetch refuses port 6000, as browsers do.',
        },
      ],
    });
  });

  it('fails when the server is too slow', async () => {
    const url = await serve(() => undefined);
    const limits = { ...DEFAULT_LIMITS, timeout: 50 };
    await expect(loadSchema(`${url}/x.json`, { limits })).rejects.toMatchObject(
      failure('fetch-failed'),
    );
  });

  it('fails when the answer never ends', async () => {
    const url = await serve((request, response) => {
      const more = setInterval(() => response.write(' '.repeat(65_536)), 1);
      request.on('close', () => {
        clearInterval(more);
      });
    });
    const limits = { ...DEFAULT_LIMITS, bytes: 1_000_000 };
    await expect(loadSchema(`${url}/x.json`, { limits })).rejects.toMatchObject(
      failure('too-large'),
    );
  });

  it.each(['ftp://example.com/x.json', 'file:///etc/hostname', 'data://x', 'https://'])(
    'is not read from %s',
    async (url) => {
      await expect(loadSchema(url)).rejects.toMatchObject(failure('fetch-failed'));
    },
  );
});
