import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function sh(line: string): { readonly printed: string } {
  const ran = spawnSync('sh', ['-ec', line], { cwd: root, encoding: 'utf8' });
  expect(ran.status, `${ran.stdout}${ran.stderr}`).toBe(0);
  return { printed: ran.stdout };
}

it('npm run demo -- --keep keeps the projects, and what it says to try next works', () => {
  const { printed } = sh('npm run demo -- --keep');
  const [, folder = ''] = /^ {2}cd (\S+)$/m.exec(printed) ?? [];
  expect(folder).not.toBe('');
  onTestFinished(() => rmSync(join(root, dirname(folder)), { recursive: true, force: true }));
  const [, next = ''] = printed.split('\nTry next:\n');
  expect(next.split('\n').length).toBeGreaterThan(4);
  expect(sh(next).printed).toContain('{"text":"Hello"}');
  expect(existsSync(join(root, folder, 'src/tools/look-up.ts'))).toBe(true);
});
