import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runtimeEntries } from '../../scripts/packages/entries.js';
import { newProject, runtimeTarball, sizeOf } from './packed.js';
import type { Project } from './packed.js';

/** It has the wire of server and client in it. The SDK's server, which a server needed before, takes 8.4 MB. */
const LIMIT_BYTES = 6_700_000;
const MODULES = '@mcp-codegen/runtime';

/** Entries that need no other package. */
const INDEPENDENT = [...runtimeEntries().keys()].filter(
  (each) =>
    /^(?:\d{4}|ext-|client(?:\/node)?$|json-schema$|server$)/.test(each) && !each.endsWith('/zod'),
);

describe('@mcp-codegen/runtime, installed in an empty project', () => {
  let project: Project;
  beforeAll(() => {
    project = newProject();
    project.install(runtimeTarball());
  });
  afterAll(() => project.remove());

  it('takes at most 6.7 MB and installs no other package', () => {
    const modules = join(project.folder, 'node_modules');
    expect(sizeOf(modules)).toBeLessThan(LIMIT_BYTES);
    const packages = readdirSync(modules).filter((each) => !each.startsWith('.'));
    expect(packages).toEqual(['@mcp-codegen']);
    expect(readdirSync(join(modules, '@mcp-codegen'))).toEqual(['runtime']);
  });

  it.each(['import', 'require'] as const)('supports the entries without packages by %s', (how) => {
    const uses = INDEPENDENT.map((entry) =>
      how === 'import' ? `await import('${MODULES}/${entry}')` : `require('${MODULES}/${entry}')`,
    );
    const file = how === 'import' ? 'all.mjs' : 'all.cjs';
    const check =
      how === 'import'
        ? `import { decode } from '${MODULES}/2025-11-25/validators';`
        : `const { decode } = require('${MODULES}/2025-11-25/validators');`;
    project.write(
      file,
      `${check}\n${uses.join(';\n')};\nconsole.log(decode('{}', { from: 'client' }).ok);`,
    );
    expect(project.node(file)).toEqual({ code: 0, output: 'false\n' });
  });

  it.each([
    { entry: '2025-11-25/zod', needs: ['zod'] },
    { entry: 'program', needs: ['zod'] },
  ])('$entry names a package that is missing, one of $needs', ({ entry, needs }) => {
    project.write('one.mjs', `import '${MODULES}/${entry}';`);
    const { code, output } = project.node('one.mjs');
    expect(code).toBe(1);
    expect(needs).toContain(/Cannot find package '([^']+)'/.exec(output)?.[1]);
  });

  it.each([
    {
      user: 'The DBOS executor',
      use: `(await import('${MODULES}/executors/dbos')).createDbosExecutor().start({})`,
      needs: '@dbos-inc/dbos-sdk',
    },
    {
      user: 'The DBOS executor',
      use: `(await import('${MODULES}/executors/dbos')).migrateDbos()`,
      needs: '@dbos-inc/dbos-sdk',
    },
    {
      user: 'The PostgreSQL store',
      use: `(await import('${MODULES}/stores/postgres')).openPostgresStore()`,
      needs: 'pg',
    },
    {
      user: 'The PostgreSQL store',
      use: `(await import('${MODULES}/stores/postgres')).migratePostgres({})`,
      needs: 'pg',
    },
    {
      user: 'verifyJwt',
      use: `(await import('${MODULES}/server/jwt')).verifyJwt({ jwks: 'https://x' }).ready()`,
      needs: 'jose',
    },
    {
      user: 'A login',
      use: `(await import('${MODULES}/client/node'))
        .createLogins({ folder: '.', clientName: 'x', fetch: async () => new Response('', { status: 404 }) })
        .client('https://x.example/mcp', { id: 'x', secret: 'x', issuer: 'https://x.example' })`,
      needs: 'oauth4webapi',
    },
  ])('$use says which package to install', ({ user, use, needs }) => {
    project.write('use.mjs', `await ${use}.catch((error) => console.log(String(error)));`);
    const message = `${user} needs the package ${needs}, which is not installed. Run: npm install ${needs}`;
    expect(project.node('use.mjs')).toEqual({
      code: 0,
      output: `MissingPackageError: ${message}\n`,
    });
  });

  it('runs tasks without OpenTelemetry and without an SDK', () => {
    project.write('tasks.mjs', TASKS);
    expect(project.node('tasks.mjs')).toEqual({ code: 0, output: 'completed\n' });
  });
});

const TASKS = `
import { createInProcessExecutor } from '@mcp-codegen/runtime/executors/in-process';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { createTaskEngine } from '@mcp-codegen/runtime/tasks';
const engine = await createTaskEngine({
  store: createMemoryStore(),
  executor: createInProcessExecutor(),
  handlers: () => ({ run: () => Promise.resolve({ content: [] }) }),
});
const caller = { owner: 'ann', dialect: 'core' };
const { id } = await engine.create(caller, { method: 'tools/call', tool: 'x', args: {} });
console.log((await engine.wait(caller, id)).status);
await engine.close();
`;

describe('what is published', () => {
  it('is resolved by every resolver of modules and types', async () => {
    const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(runtimeTarball())));
    const result = await checkPackage(tarball);
    if (!('problems' in result)) throw new Error('there are no types');
    // Everything is ESM, which Node 20.19 and TypeScript 5.8 let CommonJS require. The oldest resolver,
    // node10, does not support `exports`, so it is skipped.
    const problems = result.problems.filter(
      (each) =>
        each.kind !== 'CJSResolvesToESM' &&
        !('resolutionKind' in each && each.resolutionKind === 'node10'),
    );
    expect(problems).toEqual([]);
  });

  it('has no publint finding', async () => {
    const data = readFileSync(runtimeTarball());
    const { messages, pkg } = await publint({
      pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.length) },
    });
    expect(messages.map((each) => formatMessage(each, pkg ?? {}))).toEqual([]);
  });
});
