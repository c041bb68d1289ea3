import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HOSTS, lintTools } from '../../contracts/lint/index.js';
import { planAddition } from '../../generator/plan/project.js';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import type { ToolTraits } from '../../generator/scaffold/index.js';
import { applyPlan, diskFolder } from '../../generator/write/index.js';
import { startProgram, startTestServer } from '../../runtime/testing/index.js';
import type { ServerUnderTest } from '../../runtime/testing/index.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** What `lint` finds in new servers, and in the tools that `new tool` adds to them. */

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

const hosts = HOSTS.map(({ id }) => id);
const SHAPES = [{ transport: 'stdio' }, { transport: 'http' }, { transport: 'http', auth: 'jwt' }];
const DIALECTS = ['core', 'ext', 'core,ext'];
const CAPABILITIES = SERVER.options.find(({ name }) => name === 'capabilities')?.choices ?? [];
const DECLARED = [
  [],
  ...CAPABILITIES.map(({ value }) => [value]),
  CAPABILITIES.map(({ value }) => value),
].map((values) => values.join(','));

const TRAITS: readonly ToolTraits[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  task: (bits & 1) > 0,
  ask: (bits & 2) > 0,
  progress: (bits & 4) > 0,
}));
const nameOf = (traits: ToolTraits): string =>
  ['a', ...Object.entries(traits).flatMap(([name, isSet]) => (isSet ? [name] : []))].join('-');

const PROJECTS = SHAPES.flatMap((shape) =>
  DIALECTS.flatMap((dialects) =>
    DECLARED.map((capabilities) => ({ ...shape, dialects, capabilities })),
  ),
).flatMap((flags) => {
  try {
    return [{ flags, choices: choose(SERVER, flags) }];
  } catch {
    return []; // These choices exclude each other.
  }
});

async function addTools(root: string, isOpen: boolean): Promise<string[]> {
  const traits = TRAITS.filter(({ ask }) => !ask || !isOpen);
  for (const each of traits) {
    const addition = { kind: 'tool', name: nameOf(each), traits: each } as const;
    const folder = diskFolder(root);
    applyPlan((await planAddition({ addition, folder, force: false })).plan, folder);
  }
  return traits.map(nameOf);
}

describe('new server and new tool', () => {
  it.each(PROJECTS)('make tools that every host takes, with $flags', async ({ flags, choices }) => {
    const root = await workshop.make({ name: Object.values(flags).join('-'), choices });
    const added = await addTools(root, flags.transport === 'http' && !('auth' in flags));
    const module = (await import(join(root, 'src/server.ts'))) as {
      server: ServerUnderTest<unknown>;
    };
    const app = await startTestServer(module.server);
    onTestFinished(() => app.close());
    for (const way of app.ways) {
      const tools = await (await app.client(way)).tools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(added));
      expect(lintTools(tools, { hosts }), way).toEqual([]);
    }
  });

  it('make tools that every host takes in a minimal server', async () => {
    const root = await workshop.make({
      name: 'minimal',
      choices: choose(SERVER, { minimal: 'minimal' }),
    });
    const added = await addTools(root, false);
    const program = await startProgram(join(root, 'src/main.ts'));
    onTestFinished(async () => void (await program.kill()));
    const tools = await (await program.connect()).tools();
    expect(tools.map(({ name }) => name)).toEqual(['count-words', ...added]);
    expect(lintTools(tools, { hosts })).toEqual([]);
  });
});
