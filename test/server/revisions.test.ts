import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  createTaskServer,
  type TaskCapabilities,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { createHttpHandler } from '../../runtime/server/index.js';
import { PROTOCOL_VERSIONS } from '../../runtime/protocol.js';
import { at } from '../../runtime/peer/wire/json.js';
import { pipedTo } from '../support/stdio.js';
import { RESOURCE } from './support.js';
import { add, CORE_ONLY, EXT_ONLY, held, release } from './tools.js';

/** Servers that offer the revisions of one dialect only. */

type Revisions = NonNullable<TaskServerOptions['revisions']>;

const OPTIONS = { name: 'test', version: '1.0.0', tools: [add, held] };

async function served(revisions: Revisions, kind: string): Promise<Transport> {
  const server = await createTaskServer({ ...OPTIONS, revisions, onError: () => undefined });
  onTestFinished(() => server.close(0));
  if (kind === 'stdio') {
    return pipedTo(server);
  }
  const http = createHttpHandler(server, { allowUnidentified: true });
  onTestFinished(() => http.close());
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    headers.set('host', 'localhost');
    return http.fetch(new Request(url, { ...init, headers }));
  };
  return new StreamableHTTPClientTransport(new URL(RESOURCE), { fetch });
}

async function connected(
  transport: Transport,
  mode: 'auto' | 'legacy' | { pin: string },
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode, probe: { timeoutMs: 5_000 } } },
  );
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

const SUM = { name: 'add', arguments: { a: 1, b: 2 } };

describe.each(['stdio', 'http'])('over %s', (kind) => {
  it.each(['auto', 'legacy'] as const)(
    'a server of 2025-11-25 only opens a session with a client of mode %s',
    async (mode) => {
      const client = await connected(await served(['2025-11-25'], kind), mode);
      expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
      expect(client.getServerCapabilities()?.tasks).toBeDefined();
      expect((await client.callTool(SUM)).structuredContent).toEqual({ sum: 3 });
    },
  );

  it('a server of 2025-11-25 only refuses 2026-07-28, and names what it offers', async () => {
    const attempt = connected(await served(['2025-11-25'], kind), { pin: '2026-07-28' });
    const error: unknown = await attempt.catch((reason: unknown) => reason);
    expect(JSON.stringify([at(error, ['data']), String(error)])).toContain('2025-11-25');
  });

  it('a server of 2026-07-28 only serves it, with the tasks extension', async () => {
    const client = await connected(await served(['2026-07-28'], kind), 'auto');
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(at(client.getServerCapabilities(), ['extensions'])).toEqual({
      'io.modelcontextprotocol/tasks': {},
    });
    expect((await client.callTool(SUM)).structuredContent).toEqual({ sum: 3 });
    release('alone');
    const waited = await client.callTool({ name: 'held', arguments: { label: 'alone' } });
    expect(waited.content).toMatchObject([{ text: 'done alone' }]);
  });

  it('a server of 2026-07-28 only refuses sessions', async () => {
    await expect(connected(await served(['2026-07-28'], kind), 'legacy')).rejects.toThrow(
      'Unsupported protocol version',
    );
  });
});

describe('the option revisions', () => {
  it.each<[string[], string]>([
    [[], 'name at least one revision'],
    [['2025-06-18'], 'Revision 2025-06-18 needs 2025-11-25 as well: add it to `revisions`'],
    [['2026-07-28', '2024-11-05'], 'Revision 2024-11-05 needs 2025-11-25 as well'],
    [['2025-11-26'], `Unknown revision "2025-11-26": choose from ${PROTOCOL_VERSIONS.join(', ')}`],
  ])('of %j is refused', async (revisions, fix) => {
    const made = createTaskServer({ ...OPTIONS, revisions: revisions as unknown as Revisions });
    await expect(made).rejects.toThrow(fix);
  });

  it.each<[Revisions, TaskCapabilities, string]>([
    [['2026-07-28'], CORE_ONLY, 'add 2025-11-25 to `revisions`, or remove core'],
    [['2025-11-25'], EXT_ONLY, 'add 2026-07-28 to `revisions`, or remove ext'],
  ])('of %j is refused when a declared dialect needs more', async (revisions, declared, fix) => {
    const made = createTaskServer({ ...OPTIONS, revisions, capabilities: declared });
    await expect(made).rejects.toThrow(fix);
  });
});
