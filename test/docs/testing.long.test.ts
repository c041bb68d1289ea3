import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { programOf, runNode } from '../templates/workshop.js';
import { root, snippetsIn } from './snippets.js';

/** The tests of docs/testing.md, run as its readers run them, with the built packages. */

const MAIN = `
import { running, runUntilStopped } from '@mcp-codegen/runtime/program';
import { bearer, createTaskServer, serveHttp } from '@mcp-codegen/runtime/server';
import { verifyJwt } from '@mcp-codegen/runtime/server/jwt';
import { server } from '../words-server.js';

const { AUTH_RESOURCE = '', AUTH_ISSUER = '', AUTH_JWKS = '' } = process.env;
const auth = bearer({ resource: AUTH_RESOURCE, issuer: AUTH_ISSUER, verify: verifyJwt({ jwks: AUTH_JWKS }) });
const started = await createTaskServer(server);
await runUntilStopped(() => running(started, serveHttp(started, { auth })));
`;

it('docs/testing.md shows tests that pass', async () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'testing-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'main.ts'), MAIN);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'vitest.config.js'), 'export default { test: {} };');
  const snippets = snippetsIn('docs/testing.md').filter(({ language }) => language === 'ts');
  for (const [index, { text }] of snippets.entries()) {
    const [, name = `page-${index}.test.ts`] = /^\/\/ ([\w.-]+\.ts)\n/.exec(text) ?? [];
    writeFileSync(join(folder, name), text);
  }
  const limits = ['--testTimeout', '60000', '--hookTimeout', '60000'];
  const ran = await runNode([programOf('vitest', 'vitest.mjs'), 'run', ...limits], folder);
  expect(ran.output).toMatch(/Tests {2}4 passed \(4\)/);
  expect(ran.code).toBe(0);
});
