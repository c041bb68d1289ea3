import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLock } from '../../contracts/lock/index.js';
import type { Lock } from '../../contracts/lock/index.js';
import { compiled } from '../support/program.js';
import { run } from './process.js';
import type { Ended } from './process.js';

const SERVER = compiled(new URL('../lock/viewpoint-server.ts', import.meta.url));
const ALL = ['always', 'elicitation', 'roots', 'sampling', 'tasks'];

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-viewpoint-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const lock = (...args: string[]): Promise<Ended> =>
  run(['lock', ...args, '--', process.execPath, SERVER], { cwd });
const path = (): string => join(cwd, 'mcp.lock.json');
const written = (): Lock => parseLock(readFileSync(path(), 'utf8'), '');
const names = (): unknown[] => written().tools.map(({ name }) => name);

describe('mcp-codegen lock of a server that lists by capabilities', () => {
  it('declares all, gives the server nothing, and says what it declared', async () => {
    expect(await lock()).toMatchObject({ code: 0, stderr: '' });
    expect(names()).toEqual(ALL);
    expect(Object.keys(written().clientCapabilities ?? {})).toEqual([
      'elicitation',
      'extensions',
      'roots',
      'sampling',
      'tasks',
    ]);
    const answers: Readonly<Record<string, unknown>> = Object.fromEntries(
      written().tools.map(({ name, description }): [string, unknown] => [
        name as string,
        description,
      ]),
    );
    expect(answers).toMatchObject({
      elicitation: '{"action":"decline"}',
      sampling: expect.stringContaining('error: ') as string,
      roots: '{"roots":[]}',
    });
    expect((await lock('--check')).stdout).toMatch(/^Up to date/);
  });

  it.each([
    ['none', ['always']],
    ['roots', ['always', 'roots']],
    ['sampling,tasks', ['always', 'sampling', 'tasks']],
    ['{"elicitation":{}}', ['always', 'elicitation']],
  ])('declares %s, and compares and writes from the same viewpoint', async (given, tools) => {
    expect(await lock('--capabilities', given)).toMatchObject({ code: 0 });
    expect(names()).toEqual(tools);
    expect(await lock('--check')).toMatchObject({ code: 0 });
    expect((await lock()).stdout).toMatch(/^Unchanged/);
    const other = await lock('--check', '--capabilities', 'elicitation,sampling,roots,tasks');
    expect(other.code).toBe(4);
    expect(other.stdout).toContain('unclear     the client: the client that asked declares other');
  });

  it('asks for a lock that does not say it as older versions did', async () => {
    await lock('--capabilities', '{"elicitation":{"form":{},"url":{}}}');
    const { clientCapabilities: _, ...old } = written();
    writeFileSync(path(), JSON.stringify(old));
    expect((await lock('--check')).stdout).toMatch(/^Up to date/);
    expect((await lock()).stdout).toContain('5 tools');
  });

  it('refuses a capability that it does not have', async () => {
    const { code, stderr } = await lock('--capabilities', 'roots,tools');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown capability: "tools"');
    expect(stderr).toContain('Known: elicitation, sampling, roots, tasks, none');
  });
});
