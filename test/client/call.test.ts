import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createTaskClient } from '../../runtime/client/index.js';
import { rig } from '../server/support.js';
import { serveStdio } from '../../runtime/server/index.js';
import { release } from '../server/tools.js';

it.each(['legacy', 'auto'] as const)('stdio %s', async (mode) => {
  const { server } = await rig();
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  serveStdio(server, theirs);
  const tasks = createTaskClient(
    new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode } }),
    {
      answer: {
        form: () => ({ action: 'accept', content: { name: 'Ann' } }),
        sampling: () => ({
          model: 'm',
          role: 'assistant',
          content: { type: 'text', text: 'Hi Ann' },
        }),
      },
    },
  );
  await tasks.connect(mine);
  expect(await tasks.call('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
  const seen: unknown[] = [];
  const h = await tasks.start(
    'held',
    { label: mode },
    { onStatus: (s) => seen.push(s.status), onProgress: (p) => seen.push(p.progress) },
  );
  setTimeout(() => release(mode), 100);
  expect(await h.result()).toMatchObject({ content: [{ text: `done ${mode}` }] });
  expect(seen).toContain('completed');
  expect(await tasks.call('asks')).toMatchObject({ content: [{ text: 'Ann: Hi Ann' }] });
  await expect(tasks.call('broken')).rejects.toMatchObject({
    failure: { reason: 'rpc_error', error: { code: -32055 } },
  });
  await expect(tasks.call('failing')).rejects.toMatchObject({ failure: { reason: 'tool_error' } });
  const c = await tasks.start('held', { label: mode + 2 });
  await c.cancel();
  await expect(c.result()).rejects.toMatchObject({ reason: 'cancelled' });
  await tasks.close();
});
