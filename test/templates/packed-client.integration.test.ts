import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { choose, CLIENT } from '../../generator/scaffold/index.js';
import { openWorkshop, programOf, runNode } from './workshop.js';
import type { Workshop } from './workshop.js';

/** A server by hand, whose output schema keeps a validator busy for years. */
const SERVER = `
import { createInterface } from 'node:readline';
const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const result = {
  content: [{ type: 'text', text: 'done' }],
  structuredContent: { text: 'a'.repeat(60) + '!' },
};
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    // Clients list the tools of a server that runs them as tasks, and so have their schemas.
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    serverInfo: { name: 'hostile', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'work', inputSchema: { type: 'object' }, outputSchema: schema }],
  },
  'tools/call': result,
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = results[method]
    ? { result: results[method] }
    : { error: { code: -32601, message: 'Method not found' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}
`;

let workshop: Workshop;
let root: string;
/** The project with the packed runtime where npm would unpack it: no source of this repository is used. */
beforeAll(async () => {
  workshop = openWorkshop();
  root = await workshop.make({ name: 'client', choices: choose(CLIENT, {}) }, CLIENT);
  const tarballs = readdirSync(join(root, 'vendor'));
  const tarball = tarballs.find((name) => name.startsWith('mcp-codegen-runtime-')) ?? '';
  const installed = join(root, 'node_modules', '@mcp-codegen', 'runtime');
  mkdirSync(installed, { recursive: true });
  const archive = join(root, 'vendor', tarball);
  execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  writeFileSync(join(root, 'hostile.mjs'), SERVER);
  const tsc = programOf('typescript', 'bin', 'tsc');
  const { code, output } = await runNode([tsc, '-p', 'tsconfig.build.json'], root);
  expect(code, output).toBe(0);
});
afterAll(() => workshop.close());

it('the packed runtime contains the client', () => {
  const installed = join(root, 'node_modules', '@mcp-codegen', 'runtime');
  expect(existsSync(join(installed, 'dist', 'modules', 'client.js'))).toBe(true);
});

it('an installed client checks a result against a hostile output schema', async () => {
  const call = ['dist/main.js', 'work', '{}', '--', process.execPath, 'hostile.mjs'];
  const { code, output } = await runNode(call, root);
  expect(code, output).toBe(1);
  expect(output).toContain('structuredContent/text must match the pattern');
});
