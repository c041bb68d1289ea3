import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planTool } from '../../generator/project.js';
import { choose, ScaffoldError, SERVER } from '../../generator/scaffold/index.js';
import { applyPlan, diskFolder } from '../../generator/write/index.js';
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

async function addTool(root: string, name: string, traits: object): Promise<void> {
  const folder = diskFolder(root);
  const none = { task: false, ask: false, progress: false };
  const plan = await planTool({ name, folder, force: false, ...none, ...traits });
  applyPlan(plan, folder);
}

async function passes(root: string, ...tests: string[]): Promise<void> {
  expect(checkTypes(root)).toEqual([]);
  const { code, output } = await runNode([...TEST, ...tests], root);
  expect(code, output).toBe(0);
  expect(output).toContain(`Test Files  ${tests.length} passed`);
}

describe('new tool', () => {
  it.each([
    { name: 'default', flags: {} },
    { name: 'nothing-declared', flags: { capabilities: '' } },
    { name: 'ext-minimal', flags: { dialects: 'ext', minimal: 'minimal', capabilities: '' } },
    { name: 'bearer', flags: { transport: 'http', auth: 'bearer', capabilities: '' } },
  ])('makes tools that compile, start and pass their tests in $name', async ({ name, flags }) => {
    const root = await project(name, flags);
    await addTool(root, 'echo', {});
    await addTool(root, 'ask-text', { task: true, ask: true });
    await addTool(root, '2.Send_mailNow', { progress: true });
    const tests = ['ask-text', '2-send-mail-now', 'echo'];
    await passes(root, ...tests.map((test) => `test/${test}.test.ts`));
  });

  it('SEC-5 refuses a tool that asks in an open server', async () => {
    const root = await project('open', { transport: 'http', auth: 'none' });
    const server = readFileSync(join(root, 'src/server.ts'), 'utf8');
    await expect(addTool(root, 'ask-text', { ask: true })).rejects.toThrow(ScaffoldError);
    expect(readFileSync(join(root, 'src/server.ts'), 'utf8')).toBe(server);
  });
});

const LISTED = `import { expect, it } from 'vitest';
import { connect } from './app.js';

it('is listed as a tool that must run as a task, and does', async () => {
  const { client } = await connect({ mode: 'legacy' });
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'count-words');
  expect(tool).toMatchObject({ execution: { taskSupport: 'required' } });
  const call = client.callTool({ name: 'count-words', arguments: { text: 'a b' } });
  await expect(call).rejects.toMatchObject({ code: -32601 });
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
    writeFileSync(path, before.replace(/^ {2}asks: \{.*?^ {2}\},\n/ms, ''));
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    expect(checkTypes(root).join('\n')).toContain('elicitation.form');
  });

  it('SEC-5 that asks unidentified users does not start, and names the fix', async () => {
    const root = await project('open-asks', { transport: 'http', auth: 'none' });
    const path = join(root, 'src/server.ts');
    const before = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      before.replace('} as const satisfies TaskCapabilities;', `  asks: { elicitation: {} },\n$&`),
    );
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    const { code, output } = await runNode(['--import', 'tsx', 'src/main.ts'], root);
    expect(code).not.toBe(0);
    expect(output).toContain('allowUnidentifiedInput');
  });
});
