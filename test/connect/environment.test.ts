import { expect, it } from 'vitest';
import { listTools } from '../../cli/client/connect/index.js';

/** Has one tool for each variable of its environment. */
const SERVER = `
  const tools = Object.keys(process.env).map((name) => ({ name, inputSchema: { type: 'object' } }));
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'env', version: '1' } },
    'tools/list': { tools },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = method in results ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
`;

it('starts a server without the secrets for servers at URLs', async () => {
  const { PATH } = process.env;
  const { tools } = await listTools(
    {
      command: process.execPath,
      args: ['-e', SERVER],
      cwd: import.meta.dirname,
      env: { PATH, OTHER: 'x', MCP_TOKEN: 'x', MCP_CLIENT_SECRET: 'x', MCP_SERVER: 'x' },
    },
    { timeout: 20_000, version: '1.0.0' },
  );
  const names = tools.map((tool) => (Object(tool) as { name: string }).name);
  expect(names).toEqual(expect.arrayContaining(['PATH', 'OTHER', 'MCP_SERVER']));
  expect(names.filter((name) => /TOKEN|SECRET/.test(name))).toEqual([]);
});
