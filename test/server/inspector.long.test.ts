import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { installed, newerNode } from '../../scripts/newer-node.js';
import { APP, type HttpProcess, startHttp } from './process.js';
import { tokenOf } from './tokens.js';

/** The MCP Inspector's command line. It weighs 110 MB and needs a newer Node: `.cache` holds both. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-inspector-'));
let node: string;
let launcher: string;
let http: HttpProcess;

beforeAll(async () => {
  node = await newerNode();
  const inspector = await installed('inspector', '@modelcontextprotocol/inspector', '2.12.0');
  launcher = join(inspector, 'clients', 'launcher', 'build', 'index.js');
  http = await startHttp();
});
afterAll(async () => {
  await http.stop();
  rmSync(folder, { recursive: true });
});

async function inspect(kind: string, era: string, ...args: string[]): Promise<unknown> {
  const target =
    kind === 'stdio'
      ? ['--', APP.command, ...APP.args, 'stdio']
      : [
          ...['--server-url', http.url, '--transport', 'http'],
          ...['--header', `authorization: Bearer ${tokenOf('ann')}`],
        ];
  const options = ['--cli', '--format', 'json', '--protocol-era', era, ...args, ...target];
  const { stdout } = await run(node, [launcher, ...options], {
    env: { ...process.env, MCP_CATALOG_PATH: join(folder, 'catalog.json') },
  });
  return JSON.parse(stdout);
}

describe.each(['stdio', 'http'])('the Inspector over %s', (kind) => {
  it.each(['legacy', 'modern'])('lists and calls tools of a %s server', async (era) => {
    expect(await inspect(kind, era, '--method', 'tools/list')).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'add' })]) as [] },
    });
    const call = ['--method', 'tools/call', '--tool-name'];
    expect(
      await inspect(kind, era, ...call, 'add', '--tool-arg', 'a=1', '--tool-arg', 'b=2'),
    ).toMatchObject({ result: { structuredContent: { sum: 3 } } });
    expect(await inspect(kind, era, ...call, 'wait', '--tool-arg', 'ms=50')).toMatchObject({
      result: { content: [{ text: 'waited 50 ms' }] },
    });
  });
});
