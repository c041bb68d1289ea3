import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { installed, newerNode } from '../../scripts/newer-node.js';

/** What docs/peers.json says of mcporter, which needs a newer Node.js than this project. */

const run = promisify(execFile);

/** A server whose tool returns how the client opened the session. */
const SERVER = `
import { createInterface } from 'node:readline';
let opened;
const tools = [
  { name: 'opened', description: 'The session', inputSchema: { type: 'object' } },
  {
    name: 'count', description: 'Counts', execution: { taskSupport: 'required' },
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    outputSchema: { type: 'object', properties: { words: { type: 'number' } }, required: ['words'] },
  },
];
const answers = {
  initialize: (params) => {
    opened = params;
    const { protocolVersion } = params;
    const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
    return { protocolVersion, capabilities, serverInfo: { name: 'opened', version: '1' } };
  },
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, task }) => {
    if (name === 'count' && task === undefined) return undefined;
    return { content: [{ type: 'text', text: JSON.stringify(opened) }] };
  },
};
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params);
  const error = { code: -32601, message: 'This tool runs as a task only' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
}
`;

describe('mcporter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-mcporter-'));
  const server = join(folder, 'server.mjs');
  let mcporter: (...args: string[]) => Promise<string>;
  beforeAll(async () => {
    const [node, home] = [await newerNode(), await installed('mcporter', 'mcporter', '0.12.3')];
    writeFileSync(server, SERVER);
    const servers = { opened: { command: process.execPath, args: [server] } };
    writeFileSync(join(folder, 'mcporter.json'), JSON.stringify({ mcpServers: servers }));
    const shared = [join(home, 'dist/cli.js'), '--config', join(folder, 'mcporter.json')];
    mcporter = async (...args) => {
      const { stdout, stderr } = await run(node, [...shared, ...args], { cwd: folder });
      return stdout + stderr;
    };
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('opens sessions of 2025-11-25 at most, and declares neither tasks nor questions', async () => {
    const opened = await mcporter('call', 'opened.opened', '--output', 'json');
    expect(opened).toMatch(/protocolVersion\W+2025-11-25/);
    expect(opened).not.toMatch(/tasks|elicitation/);
  });

  it('does not call a tool that runs as a task only', async () => {
    const called = await mcporter('call', 'opened.count', 'text=hi').catch((error: unknown) => {
      const { stdout, stderr } = error as Record<'stdout' | 'stderr', string>;
      return stdout + stderr;
    });
    expect(called).toContain('-32601: This tool runs as a task only');
  });

  it('writes the types of arguments, and results as objects', async () => {
    await mcporter('emit-ts', 'opened', '--mode', 'types', '--out', join(folder, 'types.d.ts'));
    const types = readFileSync(join(folder, 'types.d.ts'), 'utf8');
    expect(types).toMatch(/count\(text: string\): Promise<object>/);
  });
});
