import { expect, it } from 'vitest';
import { listTools } from '../../cli/client/connect/index.js';

/** Answers with a list of one message, as only 2025-03-26 allows it. */
const server = (protocolVersion: string): string => `
  const results = {
    initialize: { protocolVersion: '${protocolVersion}', capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } },
    'tools/list': { tools: [{ name: 'one', inputSchema: { type: 'object' } }] },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = { jsonrpc: '2.0', id, ...(method in results ? { result: results[method] } : { error: { code: -32601, message: 'no' } }) };
    console.log(JSON.stringify(method === 'tools/list' ? [answer] : answer));
  });
`;

const list = (version: string, timeout: number) =>
  listTools(
    {
      command: process.execPath,
      args: ['-e', server(version)],
      cwd: import.meta.dirname,
      env: process.env,
    },
    { timeout, version: '1.0.0' },
  );

it('takes several messages in a line from a server of 2025-03-26, and of no other', async () => {
  expect((await list('2025-03-26', 20_000)).tools).toMatchObject([{ name: 'one' }]);
  await expect(list('2025-06-18', 20_000)).rejects.toThrow('It came in a list, which is refused');
});
