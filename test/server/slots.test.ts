import { expect, it } from 'vitest';
import * as z from 'zod';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { defineTool } from '../../runtime/server/index.js';
import { EVERY_ASK, legacy, modern, rig, tokenOf, until } from './support.js';
import { add, hold, release, testTools } from './tools.js';

const ADD = { name: 'add', arguments: { a: 1, b: 2 } };

it('plain calls of one owner do not take the slots of others', async () => {
  let begun = 0;
  const busy = defineTool({
    name: 'busy',
    description: 'Runs until it is let go.',
    input: z.object({}),
    async run() {
      begun += 1;
      await hold('busy').released;
      return 'done';
    },
  });
  const executor = createInProcessExecutor({ concurrency: 4 });
  const service = await rig({ tools: [busy, add], executor });
  const ann = await legacy(service, { token: tokenOf('ann') });
  const calls = Array.from({ length: 10 }, () => ann.request('tools/call', { name: 'busy' }));
  await until(
    () => Promise.resolve(begun),
    (count) => count === 2,
  );

  const ben = await legacy(service, { token: tokenOf('ben') });
  const { result } = await ben.request('tools/call', ADD);
  expect(result).toMatchObject({ structuredContent: { sum: 3 } });
  const carl = await modern(service, 'tools/call', ADD, { token: tokenOf('carl') });
  expect(carl.result).toMatchObject({ structuredContent: { sum: 3 } });
  expect(begun).toBe(2);
  release('busy');
  for (const answer of await Promise.all(calls)) expect(answer.result).toBeDefined();
  expect(begun).toBe(10);
});

it.each(['core', 'ext'] as const)(
  'a plain call in the %s dialect that waits for its user gives its slot to another',
  async (dialect) => {
    const executor = createInProcessExecutor({ concurrency: 1 });
    const service = await rig({ tools: testTools, executor });
    const asking = await legacy(service, { capabilities: EVERY_ASK, respond: () => undefined });
    if (dialect === 'core') {
      void asking.request('tools/call', { name: 'asks' });
      await until(
        () => Promise.resolve(asking.heard.length),
        (length) => length > 0,
      );
    } else {
      const capabilities = { capabilities: EVERY_ASK };
      const { result } = await modern(service, 'tools/call', { name: 'asks' }, capabilities);
      expect(result).toMatchObject({ resultType: 'input_required' });
    }
    const other = await legacy(service);
    const { result } = await other.request('tools/call', ADD);
    expect(result).toMatchObject({ structuredContent: { sum: 3 } });
  },
);
