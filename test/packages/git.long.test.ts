import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { newProject, root, VERSION } from './packed.js';

it('an installation from git contains the build', () => {
  // Skipped in a shallow checkout, which npm cannot clone.
  const clone = mkdtempSync(join(tmpdir(), 'mcp-codegen-git-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const git = (...args: string[]): void => void execFileSync('git', args, { stdio: 'pipe' });
  git('clone', '--quiet', '--no-hardlinks', root, clone);

  const project = newProject();
  onTestFinished(() => project.remove());
  project.install(`git+${pathToFileURL(clone).href}`);

  const installed = join(project.folder, 'node_modules/mcp-codegen');
  expect(readdirSync(join(installed, 'dist/vendor'))).toHaveLength(2);
  const { code, output } = project.node(join(installed, 'dist/cli/bin.js'), '--version');
  expect({ code, output }).toEqual({ code: 0, output: `${VERSION}\n` });
  const made = project.node(join(installed, 'dist/cli/bin.js'), 'new', 'server', 'shop', '--yes');
  expect(made.code, made.output).toBe(0);
  expect(existsSync(join(project.folder, 'shop/src/server.ts'))).toBe(true);
});
