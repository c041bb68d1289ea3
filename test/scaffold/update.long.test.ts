import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BIN, run } from '../cli/process.js';
import { hasPty, openPty } from '../support/pty.js';
import { checkTypes } from '../templates/judge.js';

/** `update` of projects that older versions of the tool made. */

const PROJECTS = fileURLToPath(new URL('old-projects', import.meta.url));
const SETTINGS = fileURLToPath(new URL('../../templates/server/tsconfig.json', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-update-'));
  symlinkSync(MODULES, join(folder, 'node_modules'), 'junction');
});
afterEach(() => rmSync(folder, { recursive: true }));

function copy(project: string): string {
  const root = join(folder, project);
  cpSync(join(PROJECTS, project), root, { recursive: true });
  cpSync(SETTINGS, join(root, 'tsconfig.json'));
  return root;
}

/** The sources and tests of a project, by path. */
function sourcesOf(root: string): Map<string, string> {
  const paths = ['src', 'test'].flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${name}/${path}`),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

describe('update', () => {
  it.each(['http-postgres-jwt', 'minimal', 'client'])(
    'makes the code of %s fit the new runtime',
    async (project) => {
      const root = copy(project);
      const { code, stdout } = await run(['update', '--fix'], { cwd: root });
      expect(code, stdout).toBe(0);
      expect(stdout).not.toContain('Your code needs changes');
      expect(checkTypes(root)).toEqual([]);
      const again = await run(['update', '--json'], { cwd: root });
      expect(JSON.parse(again.stdout)).toMatchObject({ code: [] });
    },
  );

  it('says what code needs, and changes nothing of it without --fix', async () => {
    const root = copy('minimal');
    const before = sourcesOf(root);
    const { code, stdout } = await run(['update'], { cwd: root });
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 7)).toEqual([
      'Your code needs changes:',
      'src/main.ts:2:10: exitWithReason is no longer in @mcp-codegen/runtime/server. Import it from @mcp-codegen/runtime/program.',
      expect.stringMatching(/^src\/main\.ts:2:26: preferSmallHeap /) as string,
      expect.stringMatching(/^src\/main\.ts:2:43: runUntilStopped /) as string,
      expect.stringMatching(/^src\/server\.ts:2:41: running /) as string,
      expect.stringMatching(/^src\/server\.ts:4:3: RunningServer /) as string,
      'update --fix changes 5 places of these.',
    ]);
    expect(sourcesOf(root)).toEqual(before);
    const dry = await run(['update', '--fix', '--dry-run'], { cwd: root });
    expect(dry.stdout).toContain('update    ./src/main.ts\n');
    expect(sourcesOf(root)).toEqual(before);
  });

  it('keeps everything of a file but the imports', async () => {
    const root = copy('http-postgres-jwt');
    const before = sourcesOf(root);
    await run(['update', '--fix'], { cwd: root });
    const after = sourcesOf(root);
    const withoutImports = (text = ''): string =>
      text.replaceAll(
        /^import (?:type )?\{[^}]*\} from '@mcp-codegen\/runtime\/(?:server|program)';\n/gm,
        '',
      );
    for (const [path, text] of after) {
      expect(withoutImports(text), path).toBe(withoutImports(before.get(path)));
    }
    const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
    expect(changed).toEqual(['src/main.ts', 'src/server.ts']);
  });

  it.skipIf(!hasPty).each([
    ['y', true],
    ['n', false],
  ])('asks at a terminal: %s', async (answer, changes) => {
    const root = copy('minimal');
    const before = sourcesOf(root);
    const { typed, shown, code } = openPty([process.execPath, BIN, 'update'], root);
    await typed('Change 5 places in your code?', answer);
    expect(await code).toBe(0);
    expect(stripVTControlCharacters(shown())).toContain('src/main.ts:2:10: exitWithReason');
    if (changes) expect(sourcesOf(root)).not.toEqual(before);
    else expect(sourcesOf(root)).toEqual(before);
  });
});
