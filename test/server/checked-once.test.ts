import { expect, it, onTestFinished, vi } from 'vitest';

import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { loadRevisions } from '../../runtime/peer/wire/revision.js';
import { createTaskServer } from '../../runtime/server/index.js';
import { clientOf, META, settle } from './pipes.js';
import { testTools } from './tools.js';

it.each(['core', 'ext'] as const)(
  'a result of a plain call is checked once (%s)',
  async (dialect) => {
    const server = await createTaskServer({ name: 'test', version: '1.0.0', tools: testTools });
    onTestFinished(() => server.close(0));
    const client = clientOf(server);
    await settle(client, dialect);
    // The tables are shared by all servers of a process.
    const { loaded } = await loadRevisions(server.revisions, true, ON_DEMAND);
    const spies = [...loaded.values()].flatMap((revision) => [
      vi.spyOn(revision, 'checkSent'),
      vi.spyOn(revision, 'checkToolResult'),
    ]);
    const params = {
      name: 'plain-only',
      arguments: {},
      ...(dialect === 'ext' && { _meta: META }),
    };
    const { result } = await client.request({ id: 'call', method: 'tools/call', params });
    expect(result).toMatchObject({ content: [{ text: 'ran' }] });
    expect(spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
    vi.restoreAllMocks();
  },
);
