import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

import { SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';

import { newProject } from '../packages/packed.js';
import { legacy, modern, type Reachable, until } from '../server/support.js';
import { freePort } from '../support/free-port.js';
import { keyServer, newKey, serves } from '../support/keys.js';
import { root, snippetsIn } from './snippets.js';

/** What the page says, word for word: its code in the file that it names, and its commands. */
function projectOfPage(): string {
  const blocks = snippetsIn('docs/adopting.md');
  const code = blocks.find(({ text }) => text.startsWith('// server.ts\n'))?.text ?? '';
  const commands = blocks.find(({ text }) => text.startsWith('npm pkg set type=module\n'))?.text;
  const project = newProject();
  onTestFinished(() => project.remove());
  project.write('server.ts', code);
  const [last, ...install] = (commands ?? '').trim().split('\n').reverse();
  expect(last).toBe('node server.js');
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

it('a reader who follows the page for Express gets a server that keeps two users apart', async () => {
  const cwd = projectOfPage();
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

  const call = { name: 'report', arguments: { about: 'sales' } };
  const { result } = await modern(page, 'tools/call', call, { token: ann });
  const taskId = String(result?.['taskId']);
  const read = await until(
    () => modern(page, 'tasks/get', { taskId }, { token: ann }),
    (answer) => answer.result?.['status'] === 'completed',
  );
  const content = [{ text: 'The report about sales for ann' }];
  expect(read.result).toMatchObject({ result: { content } });
  for (const method of ['tasks/get', 'tasks/cancel']) {
    const { error } = await modern(page, method, { taskId }, { token: bob });
    expect(error).toMatchObject({ message: 'Unknown or expired task' });
  }

  const [hers, his] = [await legacy(page, { token: ann }), await legacy(page, { token: bob })];
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
