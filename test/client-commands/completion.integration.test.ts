import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMPLETIONS_FLAG } from '../../cli/parse.js';
import { openReferences } from '../../cli/client/references.js';
import { openTerminal, tasksFolder, temporary } from './terminal.js';

async function completed(home: string, ...words: string[]): Promise<string[]> {
  const { run, output } = openTerminal({ person: false, home });
  await run(COMPLETIONS_FLAG, 'mcp-codegen', ...words);
  return output().trimEnd().split('\n');
}

it('offers the names of servers', async () => {
  const home = temporary();
  const { run } = openTerminal({ person: false, home });
  await run('servers', 'add', 'prod', '--server', 'http://x.invalid/mcp');
  mkdirSync(join(home, '.cursor'));
  const mcpServers = { github: { command: 'github' } };
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
  expect(await completed(home, 'call', 'x', '--server', '')).toEqual(['prod', 'github']);
  expect(await completed(home, 'prompts', 'get', 'x', '--server', '')).toEqual(['prod', 'github']);
  expect(await completed(home, 'servers', 'remove', '')).toEqual(['prod']);
});

it('offers no name that is more than a word', async () => {
  const home = temporary();
  const url = 'http://x.invalid/mcp';
  const names = ['$(touch marker)', '`touch marker`', 'two\nlines', 'two words', '-option', 'fine'];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { url }]));
  writeFileSync(join(home, '.mcp.json'), JSON.stringify({ mcpServers }));
  expect(await completed(home, 'call', 'x', '--server', '')).toEqual(['fine']);
});

/** What bash makes of the candidates of a program, after `mcp-codegen call` and this word. */
async function inBash(folder: string, candidates: readonly string[], word: string) {
  const { run, output } = openTerminal({ person: false });
  await run('completion', 'bash');
  const list = join(folder, 'candidates');
  writeFileSync(list, candidates.map((each) => `${each}\n`).join(''));
  const script = `
    mcp-codegen() { cat ${list}; }
    ${output()}
    COMP_WORDS=(mcp-codegen call "$1"); COMP_CWORD=2
    _mcp_codegen_completions
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const options = { cwd: folder, encoding: 'utf8' } as const;
  return execFileSync('bash', ['--norc', '-c', script, 'bash', word], options).split('\n');
}

it.skipIf(platform() === 'win32')('expands no candidate in bash', async () => {
  const folder = temporary();
  const hostile = ['$(touch marker)', '`touch marker`', '$HOME', 'two words', '*'];
  expect(await inBash(folder, hostile, '')).toEqual([...hostile, '']);
  expect(existsSync(join(folder, 'marker'))).toBe(false);
  expect(await inBash(folder, ['prod', 'preview', 'other'], 'pr')).toEqual(['prod', 'preview', '']);
});

it.skipIf(platform() === 'win32')('offers files in bash where nothing else fits', async () => {
  const folder = temporary();
  writeFileSync(join(folder, 'notes.txt'), '');
  expect(await inBash(folder, [], '')).toEqual([...readdirSync(folder).sort(), '']);
  expect(await inBash(folder, ['prod'], 'no')).toEqual(['notes.txt', '']);
});

it('offers the ids of tasks', async () => {
  const home = temporary();
  const { id } = await openReferences(tasksFolder(home)).keep({
    reference: 'a',
    tool: 'x',
    server: { url: 'http://x.invalid/mcp' },
    startedAt: '2026-01-01T00:00:00Z',
  });
  expect(await completed(home, 'tasks', 'resume', '')).toEqual([id]);
});

it('offers commands of groups', async () => {
  const offered = await completed(temporary(), 'tasks', '');
  expect(offered).toEqual(expect.arrayContaining(['list', 'get', 'watch', 'resume', 'cancel']));
});

it('offers nothing for a file that cannot be read', async () => {
  const home = temporary();
  mkdirSync(join(home, 'mcp-codegen'));
  writeFileSync(join(home, 'mcp-codegen', 'servers.json'), '{', { mode: 0o600 });
  expect(await completed(home, 'call', 'x', '--server', '')).toEqual(['']);
});
