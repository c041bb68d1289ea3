import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../docs/snippets.js';
import { workflows } from './workflows.js';

interface Manifest {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const files = workflows();

it('there are workflows to check, to release, and for the site', () => {
  expect(files.map(({ path }) => path)).toEqual([
    '.github/workflows/ci.yml',
    '.github/workflows/release.yml',
    '.github/workflows/site.yml',
  ]);
});

describe.each(files)('the workflow $path', ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  it('pins each action by its commit, with the tag beside it', () => {
    const used = [...text.matchAll(/^ +(?:- )?uses: (.*)$/gm)].map(([, each = '']) => each);
    expect(used.length).toBeGreaterThan(0);
    for (const each of used) {
      expect(each).toMatch(/^(?:\.\/\.github\/workflows\/\S+|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    }
  });

  it('ends by itself', () => {
    for (const job of jobs.filter(({ uses }) => uses === undefined)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });

  it('runs scripts that exist', () => {
    const commands = steps.flatMap(({ run, with: inputs }) => [
      run ?? '',
      ...Object.values((inputs as Record<string, string> | undefined) ?? {}).map(String),
    ]);
    const scripts = commands.flatMap((command) =>
      [...command.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name),
    );
    for (const name of scripts) expect(manifest.scripts).toHaveProperty([name]);
    for (const { run } of steps) {
      const [, script] = /^(\.\S+)$/.exec(run ?? '') ?? [];
      if (script !== undefined) expect(existsSync(join(root, script))).toBe(true);
    }
  });

  it('tests the oldest Node.js of the packages, and newer ones', () => {
    const tested = jobs.flatMap(({ strategy }) => strategy?.matrix.node ?? []);
    const oldest = Number(/^>=(\d+)/.exec(manifest.engines.node)?.[1]);
    for (const versions of jobs.map(({ strategy }) => strategy?.matrix.node)) {
      if (versions) expect(versions).toEqual([20, 22, 24, 26]);
    }
    if (tested.length > 0) expect(Math.min(...tested)).toBe(oldest);
  });
});

it('only the jobs that publish may write, and only they get an identity', () => {
  const writing = files.flatMap(({ path, workflow }) =>
    [
      ['', workflow.permissions] as const,
      ...Object.entries(workflow.jobs).map(([name, job]) => [name, job.permissions ?? {}] as const),
    ]
      .filter(([, permissions]) => Object.values(permissions).includes('write'))
      .map(([name, permissions]) => ({ path, name, permissions })),
  );
  expect(writing).toEqual([
    {
      path: '.github/workflows/release.yml',
      name: 'release',
      permissions: { contents: 'write', 'pull-requests': 'write', 'id-token': 'write' },
    },
    {
      path: '.github/workflows/site.yml',
      name: 'deploy',
      permissions: { pages: 'write', 'id-token': 'write' },
    },
  ]);
});

it('no workflow needs a secret', () => {
  for (const { text } of files) expect(text).not.toMatch(/secrets\./);
});
