import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { run } from './process.js';
import type { Ended } from './process.js';

/** What a URL may contain besides its place is a secret, and stays out of everything that is written. */

const SECRET = 'S3CRET';
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { Tool: { type: 'object', properties: { name: { type: 'string' } } } },
};
const EXPECTED = `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`;

let server: Server;
let host: string;
let cwd: string;

beforeAll(async () => {
  // A client that does not give the secrets gets nothing.
  server = createServer(({ url = '', headers }, response) => {
    const isKnown = url.includes(`?token=${SECRET}`) && headers.authorization === EXPECTED;
    response.statusCode = isKnown && url.startsWith('/a.json') ? 200 : 403;
    response.end(JSON.stringify(SCHEMA));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-secrets-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
});

const secretUrl = (path: string): string =>
  `http://user:${SECRET}@${host}${path}?token=${SECRET}#${SECRET}`;

async function cli(...args: string[]): Promise<Ended> {
  const ended = await run(args, { cwd, env: { MCP_CODEGEN_TRUST: '1' } });
  expect(ended.stdout + ended.stderr).not.toContain(SECRET);
  return ended;
}

function everyFile(): string {
  return readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'mcp-codegen.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('');
}

describe('a URL with secrets', () => {
  it('is read with them, and nothing that is written contains them', async () => {
    const url = secretUrl('/a.json');
    for (const [command, ...more] of [
      ['generate', '--dry-run'],
      ['check'],
      ['generate'],
      ['check'],
      ['generate', '--json'],
      ['check', '--json'],
    ] as const) {
      await cli(command ?? '', '--schema', url, ...more);
    }
    expect((await cli('check', '--schema', url)).code).toBe(0);
    expect((await cli('explore', '--schema', url, '--out', 'page.html')).code).toBe(0);
    expect((await cli('diff', url, '2025-11-25', '--json')).code).not.toBe(2);
    expect((await cli('diff', '2025-11-25', url, '--markdown')).stdout).not.toBe('');
    expect(everyFile()).toContain(`http://${host}/a.json`);
    expect(everyFile()).not.toContain(SECRET);
  });

  it('in a configuration is read with them as well', async () => {
    const config = { schemas: [{ name: 'mine', source: secretUrl('/a.json') }] };
    writeFileSync(join(cwd, 'mcp-codegen.json'), JSON.stringify(config));
    expect((await cli('generate')).code).toBe(0);
    expect((await cli('check')).code).toBe(0);
    expect(everyFile()).not.toContain(SECRET);
  });

  it.each([
    ['that the server refuses', () => secretUrl('/b.json')],
    ['of a host that does not exist', () => `https://user:${SECRET}@no.invalid/a?${SECRET}`],
    ['of a port that fetch refuses', () => `http://user:${SECRET}@127.0.0.1:6000/a?${SECRET}`],
    ['that is none', () => `https://user:${SECRET}@bad host/a?${SECRET}`],
    ['of another protocol', () => `ftp://user:${SECRET}@example.com/a?${SECRET}`],
  ])('%s is shown without them', async (_, url) => {
    for (const args of [
      ['generate', '--schema', url()],
      ['generate', '--schema', url(), '--json'],
      ['check', '--schema', url()],
      ['explore', '--schema', url(), '--out', 'page.html'],
      ['diff', url(), '2025-11-25'],
      ['list', url()],
      ['explore', url()],
      ['generate', url()],
      [url()],
      ['explore', '2025-11-25', url()],
      ['list', '2025-11-25', url()],
      ['generate', '2025-11-25', '--schema', 'x.json', '--ref', `https://example.com=${url()}`],
    ]) {
      const { code, stdout, stderr } = await cli(...args);
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toBe('');
    }
  });
});
