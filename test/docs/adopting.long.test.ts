import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';

import { newProject } from '../packages/packed.js';
import { legacy, modern, type Reachable, until } from '../server/support.js';
import { freePort } from '../../runtime/testing/free-port.js';
import { keyServer, newKey, serves } from '../support/keys.js';
import { root, snippetsIn } from './snippets.js';

/** A section of the page, word for word: its code with the changed lines, in the file that it names, and its commands. */
function projectOf(section: string): string {
  const page = readFileSync(`${root}docs/adopting.md`, 'utf8');
  const begin = page.indexOf(`\n## ${section}\n`);
  const text = page.slice(begin, page.indexOf('\n## ', begin + 1));
  const blocks = snippetsIn('docs/adopting.md', text);
  const block = (language: string): string =>
    blocks.find((each) => each.language === language)?.text ?? '';
  const project = newProject();
  onTestFinished(() => project.remove());
  project.write('server.ts', changed(block('ts'), block('diff')));
  const [last, ...install] = block('sh').trim().split('\n').reverse();
  expect(last).toBe('node server.js');
  // As the page says of the SQLite store.
  const lacks = process.getBuiltinModule('node:sqlite') === undefined;
  if (lacks) install.unshift('npm install libsql');
  const script = install.reverse().join('\n').replaceAll('/path/to/mcp-codegen/', root);
  const env = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' };
  try {
    execFileSync('sh', ['-e', '-c', script], { cwd: project.folder, stdio: 'pipe', env });
  } catch (error) {
    const { stdout, stderr } = error as Record<'stdout' | 'stderr', Buffer>;
    throw new Error(`${script}\n${stdout.toString()}${stderr.toString()}`, { cause: error });
  }
  return project.folder;
}

/** The code after a reader has changed the lines. A line `...` stands for lines that stay. */
function changed(code: string, diff: string): string {
  return diff.split('\n ...\n').reduce((before, part) => {
    const lines = part.replace(/\n$/, '').split('\n');
    const side = (sign: string): string =>
      lines
        // Editors remove the space of an empty line.
        .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    expect(before.split(side('-'))).toHaveLength(2);
    return before.replace(side('-'), () => side('+'));
  }, code);
}

it.each([
  ['SDK version 1, with Express', ['core']],
  ['SDK version 2, with Express', ['core', 'ext']],
])('%s: who follows it gets a server that keeps two users apart', async (section, dialects) => {
  const cwd = projectOf(section);
  const key = await newKey('first');
  const { jwks } = await keyServer(serves(key));
  const [ISSUER, RESOURCE] = ['https://issuer.example', 'https://mcp.example/mcp'];
  const port = await freePort();
  const child = spawn(process.execPath, ['server.js'], {
    cwd,
    env: { ...process.env, ISSUER, RESOURCE, JWKS: jwks, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ aud: RESOURCE, client_id: 'app', scope: 'mcp', ...claims })
      .setProtectedHeader({ alg: key.alg, kid: key.kid })
      .setIssuer(ISSUER)
      .setExpirationTime('10m')
      .sign(key.privateKey);
  const [ann, bob] = [await sign({ sub: 'ann' }), await sign({ sub: 'bob' })];
  const page: Reachable = {
    http: {
      async fetch(request) {
        const { method, headers } = request;
        headers.delete('host');
        const body = method === 'POST' ? { body: await request.text() } : {};
        return fetch(`http://127.0.0.1:${port}/mcp`, { method, headers, ...body });
      },
    },
  };

  const call = { name: 'report', arguments: {} };
  const content = [{ text: 'The report' }];
  if (dialects.includes('ext')) {
    const { result } = await modern(page, 'tools/call', call, { token: ann });
    const taskId = String(result?.['taskId']);
    const read = await until(
      () => modern(page, 'tasks/get', { taskId }, { token: ann }),
      (answer) => answer.result?.['status'] === 'completed',
    );
    expect(read.result).toMatchObject({ result: { content } });
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const { error } = await modern(page, method, { taskId }, { token: bob });
      expect(error).toMatchObject({ message: 'Unknown or expired task' });
    }
    const find = { name: 'find', arguments: { title: 'Emma' } };
    expect((await modern(page, 'tools/call', find, { token: bob })).result).toMatchObject({
      content: [{ text: 'Emma is on shelf 7' }],
    });
  }

  const [hers, his] = [await legacy(page, { token: ann }), await legacy(page, { token: bob })];
  const found = await his.request('tools/call', { name: 'find', arguments: { title: 'Emma' } });
  expect(found.result).toMatchObject({ content: [{ text: 'Emma is on shelf 7' }] });
  const made = await hers.request('tools/call', { ...call, task: {} });
  const { taskId: coreId } = made.result?.['task'] as { taskId: string };
  expect((await hers.request('tasks/result', { taskId: coreId })).result).toMatchObject({
    content,
  });
  expect((await hers.request('tasks/list', {})).result?.['tasks']).toHaveLength(1);
  expect((await his.request('tasks/list', {})).result?.['tasks']).toEqual([]);
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    const { error } = await his.request(method, { taskId: coreId });
    expect(error).toMatchObject({ message: 'Unknown or expired task' });
  }

  const refused = [undefined, 'none', await sign({ sub: 'ann', cnf: { jkt: 'k' } })];
  for (const token of refused) {
    expect((await modern(page, 'tools/call', call, { token })).status).toBe(401);
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
