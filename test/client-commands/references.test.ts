import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configFolder, stateFolder } from '../../cli/client/folders.js';
import { openReferences } from '../../cli/client/references.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'mcp-codegen-client-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return join(made, 'tasks');
}

const task = (reference: string, startedAt = '2026-01-01T00:00:00Z') => ({
  reference,
  tool: 'x',
  server: { url: 'https://example.com/mcp' },
  startedAt,
});

it('keeps tasks until they are forgotten, for each process that opens the folder', async () => {
  const at = folder();
  const references = openReferences(at);
  expect(await references.list()).toEqual([]);
  const later = await references.keep(task('b', '2026-01-02T00:00:00Z'));
  const sooner = await references.keep(task('a'));
  expect(await openReferences(at).list()).toEqual([sooner, later]);
  expect(await references.find(later.id.slice(0, 5))).toEqual(later);
  await references.forget(sooner.id);
  await references.forget(sooner.id);
  expect(await references.list()).toEqual([later]);
});

it('keeps a task once, in a file that only its user can read', async () => {
  const at = folder();
  const references = openReferences(at);
  const [one, two] = await Promise.all([references.keep(task('a')), references.keep(task('a'))]);
  expect(one).toEqual(two);
  expect(readdirSync(at)).toEqual([`${one.id}.json`]);
  if (process.platform !== 'win32')
    expect(statSync(join(at, `${one.id}.json`)).mode & 0o77).toBe(0);
});

it('keeps tasks of several servers with the same number', async () => {
  const references = openReferences(folder());
  const server = { command: 'node', args: ['server.js'] };
  const kept = [
    await references.keep(task('1')),
    await references.keep({ ...task('1'), server: { url: 'https://other.example/mcp' } }),
    await references.keep({ ...task('1'), server, cwd: '/one' }),
    await references.keep({ ...task('1'), server, cwd: '/two' }),
  ];
  expect(new Set((await references.list()).map(({ id }) => id)).size).toBe(kept.length);
});

it('passes over what it did not write', async () => {
  const at = folder();
  const references = openReferences(at);
  const kept = await references.keep(task('a'));
  writeFileSync(join(at, '000000000000.json'), '{"id":');
  writeFileSync(join(at, '000000000002.json'), JSON.stringify({ ...kept, id: '../precious' }));
  writeFileSync(join(at, '000000000001.json'), '{"id":1}');
  writeFileSync(join(at, '.something.tmp'), 'half');
  expect(await references.list()).toEqual([kept]);
});

it('finds only what is meant', async () => {
  const references = openReferences(folder());
  await Promise.all(Array.from({ length: 17 }, (_, index) => references.keep(task(String(index)))));
  const ids = (await references.list()).map(({ id }) => id);
  const twice = ids.find((id) => ids.filter((each) => each[0] === id[0]).length > 1) ?? '';
  await expect(references.find(twice.slice(0, 1))).rejects.toThrow('Several tasks begin with');
  await expect(references.find('')).rejects.toThrow('No task "" is kept.');
  await expect(references.find('../x')).rejects.toThrow('is kept.');
});

it('lies where the system keeps such things', () => {
  expect(stateFolder({ XDG_STATE_HOME: '/state' })).toBe(join('/state', 'mcp-codegen'));
  // The specification of these variables ignores relative paths.
  expect(stateFolder({ XDG_STATE_HOME: 'state' })).toBe(stateFolder({}));
  expect(configFolder({ XDG_CONFIG_HOME: '/config' })).toBe(join('/config', 'mcp-codegen'));
});
