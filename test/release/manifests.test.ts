import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../docs/snippets.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifestOf = (folder: string): Manifest =>
  JSON.parse(textOf(`${folder}/package.json`)) as Manifest;

/** The one place that names the repository: `repository` of the root's package.json. */
const tool = manifestOf('.');
const HOME = tool.repository.url.replace(/^git\+(.*)\.git$/, '$1');

const PACKAGES = ['.', 'runtime', 'create'];

describe.each(PACKAGES)('the package in %s', (folder) => {
  const manifest = manifestOf(folder);
  const isRoot = folder === '.';

  it('names its repository, page and issues', () => {
    expect(manifest).toMatchObject({
      repository: { ...tool.repository, ...(!isRoot && { directory: folder }) },
      homepage: isRoot ? `${HOME}#readme` : `${HOME}/tree/main/${folder}#readme`,
      bugs: `${HOME}/issues`,
    });
  });

  it('is public, with provenance, and has what the tool has', () => {
    const { license, engines, version } = tool;
    expect(manifest).toMatchObject({ license, engines, version });
    expect(manifest).toMatchObject({ publishConfig: { access: 'public', provenance: true } });
    expect(manifest).not.toHaveProperty('private');
  });

  it('has the licence, and a changelog that begins with this version', () => {
    expect(textOf(`${folder}/LICENSE`)).toBe(textOf('LICENSE'));
    const { name, version } = manifest;
    // Changesets inserts after the first line.
    expect(textOf(`${folder}/CHANGELOG.md`).split('\n').slice(0, 3)).toEqual([
      `# ${name}`,
      '',
      `## ${version}`,
    ]);
  });
});

it('create-mcp-codegen runs the tool of its own version', () => {
  expect(manifestOf('create').dependencies).toEqual({ [tool.name]: tool.version });
});

/** Whether a range of versions contains 20.19. */
const takesOldest = (range: string): boolean =>
  range.split('||').some((each) => {
    const [, sign = '', major = ''] = /^\s*([<>=^~]*)\s*v?(\d+|\*)/.exec(each) ?? [];
    return major === '*' || (sign.startsWith('>') ? Number(major) <= 20 : Number(major) === 20);
  });

it('no package that users get needs a newer Node.js', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { engines?: { node?: string }; dev?: boolean }>>;
  };
  const newer = Object.entries(packages).filter(
    ([, { engines, dev }]) => dev !== true && !takesOldest(engines?.node ?? '*'),
  );
  expect(newer).toEqual([]);
  expect(['>=22', '^22 || >=23', '^18', '>=20.19', '20 || >=22', '*'].map(takesOldest)).toEqual([
    ...[false, false, false],
    ...[true, true, true],
  ]);
});

describe('the address of the repository', () => {
  /** Files of the repository with a text that looks like the address. */
  const files = execFileSync(
    'git',
    [
      'grep',
      '-lI',
      '--untracked',
      '-e',
      'github.com/mcp-codegen',
      '-e',
      HOME,
      '--',
      ':!test/golden',
    ],
    { cwd: root, encoding: 'utf8' },
  )
    .split('\n')
    .filter((path) => path !== '' && path !== 'test/release/manifests.test.ts');

  it('is the same everywhere', () => {
    expect(files.length).toBeGreaterThan(PACKAGES.length);
    const found = files.flatMap((path) =>
      [...textOf(path).matchAll(/github\.com\/mcp-codegen[\w./-]*/g)]
        .map(([address]) => `https://${address.replace(/\.git$/, '')}`)
        .filter((address) => address !== HOME && !address.startsWith(`${HOME}/`))
        .map((address) => `${path}: ${address}`),
    );
    expect(found).toEqual([]);
  });
});
