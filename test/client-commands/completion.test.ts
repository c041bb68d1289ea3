import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMPLETIONS_FLAG } from '../../generator/cli/complete.js';
import { openReferences } from '../../generator/client/references.js';
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
