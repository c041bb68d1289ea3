import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { planAddition } from '../../generator/plan/project.js';
import { choose, ScaffoldError, SERVER } from '../../generator/scaffold/index.js';
import type { Addition } from '../../generator/scaffold/index.js';
import { applyPlan, diskFolder } from '../../generator/write/index.js';
import { startIssuer, startProgram } from '../../runtime/testing/index.js';
import { checkTypes } from './judge.js';
import { openWorkshop, runNode, TEST, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

function project(name: string, flags: Readonly<Record<string, string>>): Promise<string> {
  return workshop.make({ name, choices: choose(SERVER, flags) });
}

async function add(root: string, addition: Addition): Promise<void> {
  const folder = diskFolder(root);
  applyPlan((await planAddition({ addition, folder, force: false })).plan, folder);
}

async function addTool(root: string, name: string, traits: object): Promise<void> {
  const none = { task: false, ask: false, progress: false };
  await add(root, { kind: 'tool', name, traits: { ...none, ...traits } });
}

async function passes(root: string, ...tests: string[]): Promise<void> {
  expect(checkTypes(root)).toEqual([]);
  const { code, output } = await runNode([...TEST, ...tests], root);
  expect(code, output).toBe(0);
  expect(output).toContain(`Test Files  ${tests.length} passed`);
}

describe('new tool, resource and prompt', () => {
  it.each([
    { name: 'default', flags: {} },
    { name: 'nothing-declared', flags: { capabilities: '' } },
    { name: 'ext', flags: { dialects: 'ext', capabilities: '' } },
    { name: 'bearer', flags: { transport: 'http', auth: 'bearer', capabilities: '' } },
  ])('make parts that compile, start and pass their tests in $name', async ({ name, flags }) => {
    const root = await project(name, flags);
    await addTool(root, 'echo', {});
    await addTool(root, 'ask-text', { task: true, ask: true });
    await addTool(root, '2.Send_mailNow', { progress: true });
    await add(root, { kind: 'resource', name: 'echo' });
    await add(root, { kind: 'prompt', name: 'default' });
    const tests = ['ask-text', '2-send-mail-now', 'echo', 'echo.resource', 'default.prompt'];
    await passes(root, ...tests.map((test) => `test/${test}.test.ts`), 'test/server.test.ts');
    await serves(root);
  });

  it('make parts of a minimal server, which has no tests', async () => {
    const root = await project('minimal', { minimal: 'minimal', capabilities: '' });
    await addTool(root, 'echo', { task: true });
    await addTool(root, 'text', { ask: true, progress: true });
    await add(root, { kind: 'resource', name: 'echo' });
    await add(root, { kind: 'prompt', name: 'default' });
    expect(checkTypes(root)).toEqual([]);
    expect(existsSync(join(root, 'test'))).toBe(false);
    await serves(root);
  });

  /** The program offers the parts. */
  async function serves(root: string): Promise<void> {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const settings = { ...issuer.environment, DATABASE: join(root, 'test.db') };
    const program = await startProgram(join(root, 'src/main.ts'), { environment: settings });
    onTestFinished(async () => void (await program.kill()));
    if (program.url !== undefined) return;
    const client = await program.connect();
    expect((await client.tools()).map(({ name }) => name)).toContain('echo');
    expect((await client.resources()).map(({ name }) => name)).toContain('echo');
    expect((await client.prompts()).map(({ name }) => name)).toContain('default');
  }

  it('SEC-5 refuse a tool that asks in an open server', async () => {
    const root = await project('open', { transport: 'http', auth: 'none' });
    const server = readFileSync(join(root, 'src/server.ts'), 'utf8');
    await expect(addTool(root, 'ask-text', { ask: true })).rejects.toThrow(ScaffoldError);
    expect(readFileSync(join(root, 'src/server.ts'), 'utf8')).toBe(server);
  });
});

const LISTED = `import { startTestServer } from '@mcp-codegen/runtime/testing';
import { expect, it, onTestFinished } from 'vitest';
import { server } from '../src/server.js';

it('is listed as a tool that must run as a task, and does', async () => {
  const app = await startTestServer(server);
  onTestFinished(() => app.close());
  expect(app.waysOf('count-words')).toEqual(['task 2025-11-25', 'task 2026-07-28']);
  const client = await app.client('plain 2025-11-25');
  const tool = (await client.tools()).find(({ name }) => name === 'count-words');
  expect(tool).toMatchObject({ execution: { taskSupport: 'required' } });
});
`;

it('a change of taskSupport is a change of one line', async () => {
  const root = await project('one-line', {});
  const path = join(root, 'src/tools/count-words.ts');
  const before = readFileSync(path, 'utf8');
  const after = before.includes('taskSupport')
    ? before.replace(/taskSupport: '\w+'/, `taskSupport: 'required'`)
    : before.replace('  run', `  taskSupport: 'required',\n  run`);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  writeFileSync(join(root, 'test/one-line.test.ts'), LISTED);
  await passes(root, 'test/one-line.test.ts');
});

describe('a declaration in src/server.ts', () => {
  it('that lacks what a tool asks for does not compile, and names it', async () => {
    const root = await project('contradiction', {});
    const path = join(root, 'src/server.ts');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace(/^ +asks: .*\n/m, ''));
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    expect(checkTypes(root).join('\n')).toContain('elicitation.form');
  });

  it('SEC-5 that asks unidentified users does not start, and names the fix', async () => {
    const root = await project('open-asks', { transport: 'http', auth: 'none' });
    const path = join(root, 'src/server.ts');
    const before = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      before.replace('    capabilities: {\n', `$&      asks: { elicitation: {} },\n`),
    );
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    const { code, output } = await runNode(['--import', 'tsx', 'src/main.ts'], root);
    expect(code).not.toBe(0);
    expect(output).toContain('allowUnidentifiedInput');
  });
});
