import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const { permissions, jobs } = parse(read('.github/workflows/site.yml')) as {
  permissions: object;
  jobs: Readonly<Record<'build' | 'deploy', Job>>;
};

it('the workflow of the site runs scripts that exist, and uploads what they write', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const runs = jobs.build.steps.flatMap(({ run = '' }) => run.match(/^npm run (\S+)/)?.[1] ?? []);
  expect(runs).toEqual(['site']);
  for (const name of runs) expect(scripts).toHaveProperty(name);
  const paths = jobs.build.steps.flatMap((step) => step.with?.['path'] ?? []);
  expect(paths).toEqual(['.cache/site/html']);
  expect(read('scripts/site/.vitepress/config.ts')).toContain("'../../.cache/site/html'");
});

it('the workflow of the site may write only pages, in the job that runs nothing of this repository', () => {
  expect(permissions).toEqual({});
  expect(jobs.build.permissions).toEqual({ contents: 'read', pages: 'read' });
  expect(jobs.deploy.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
  expect(jobs.deploy.steps.filter(({ run }) => run !== undefined)).toEqual([]);
});
