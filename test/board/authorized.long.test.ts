import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import { type KeyPair, keyServer, newKey, serves } from '../support/keys.js';
import { openWorkshop, type Workshop } from '../templates/workshop.js';
import { insertAll, taskOf } from './support.js';

const LOADER = fileURLToPath(import.meta.resolve('tsx'));
const ISSUER = 'https://issuer.example';
const RESOURCE = 'http://localhost/mcp';

let workshop: Workshop;
let key: KeyPair;
beforeAll(async () => {
  workshop = openWorkshop();
  const choices = choose(SERVER, { transport: 'http', store: 'sqlite', auth: 'jwt' });
  await workshop.make({ name: 'authorized', choices });
  key = await newKey('first');
});
afterAll(() => workshop.close());

const now = (): number => Math.floor(Date.now() / 1_000);

function tokenOf(claims: object = {}, { kid, alg, privateKey } = key): Promise<string> {
  const valid = {
    iss: ISSUER,
    sub: 'ann',
    aud: RESOURCE,
    client_id: 'app',
    scope: 'mcp tasks:board',
  };
  return new SignJWT({ ...valid, exp: now() + 600, ...claims })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
    .sign(privateKey);
}

/** `npm run tasks:board -- --host 0.0.0.0` of a server whose tokens are signed with the key. */
async function startBoard() {
  const { jwks } = await keyServer(serves(key));
  const root = workshop.rootOf('authorized');
  const file = join(root, 'tasks.db');
  const store = openSqliteStore({ file });
  await insertAll(store, [taskOf(1)]);
  await store.close();
  const args = ['--import', LOADER, 'src/main.ts', 'board', '--host', '0.0.0.0'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...{ PATH: process.env['PATH'], DATABASE: file },
      ...{ AUTH_RESOURCE: RESOURCE, AUTH_ISSUER: ISSUER, AUTH_JWKS: jwks },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const printed = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data') as Promise<[string]>,
    once(child, 'exit').then(() => Promise.reject(new Error(errors))),
  ]);
  const { port } = new URL(/http:\S+/.exec(printed[0])?.[0] ?? '');
  return {
    printed: printed[0],
    errors: () => errors,
    ask: (path: string, token: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      }),
  };
}

it('admits tokens that its authorization server signed for it, with its scope, until they expire', async () => {
  const { ask, errors, printed } = await startBoard();
  expect(printed).not.toContain('#token');
  const stranger = await newKey('first');
  for (const [token, status] of [
    [await tokenOf({ aud: 'http://localhost/other' }), 401],
    [await tokenOf({ iss: 'https://other.example' }), 401],
    [await tokenOf({ exp: now() - 60 }), 401],
    [await tokenOf({}, stranger), 401],
    ['', 401],
    [await tokenOf({ scope: 'mcp' }), 403],
  ] as const) {
    for (const path of ['api/tasks', 'api/events', `api/tasks/${taskOf(1).id}`]) {
      const response = await ask(path, token);
      expect({ path, token, status: response.status }).toEqual({ path, token, status });
      expect(response.headers.get('www-authenticate')).toContain('resource_metadata');
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining('the scope tasks:board') as string },
      });
    }
  }
  const short = await tokenOf({ exp: now() + 1 });
  const events = await ask('api/events', short);
  expect(events.status).toBe(200);
  // Only the end of the stream ends this.
  expect(await events.text()).toMatch(/^event: changed/);
  expect((await ask('api/events', short)).status).toBe(401);

  const token = await tokenOf();
  const cancelled = await ask(`api/tasks/${taskOf(1).id}/cancel`, token, {
    method: 'POST',
    body: '{}',
  });
  expect(cancelled.status).toBe(200);
  await expect.poll(errors).toContain('"event":"cancelled"');
  expect(errors()).toContain(JSON.stringify(JSON.stringify([ISSUER, 'ann', 'app'])));
});
