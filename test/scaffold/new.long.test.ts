import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SERVER } from '../../generator/scaffold/index.js';
import { BIN, run, start } from '../cli/process.js';
import type { Ended } from '../cli/process.js';
import { hasPty, openPty } from '../support/pty.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'mcp-codegen-new-'));

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** A project that is made once and copied. */
let model: string;
beforeAll(async () => {
  model = newFolder();
  await run(['new', 'server', 'shop', '--yes', '--revisions', '2025-11-25'], { cwd: model });
});
afterAll(() => rmSync(model, { recursive: true }));
const copyServer = (): void => cpSync(model, cwd, { recursive: true });

const cli = (...args: string[]): Promise<Ended> => run(args, { cwd });
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
/** The fewest revisions, because that is the fastest. */
const server = (dir: string, ...args: string[]): Promise<Ended> =>
  cli('new', 'server', dir, '--yes', '--revisions', '2025-11-25', ...args);

const tarballs = (): string[] => readdirSync(join(cwd, 'shop/vendor'));
const packageJson = (): string => read('shop/package.json');

interface Document {
  readonly exitCode: number;
  readonly files: readonly { readonly path: string; readonly action: string }[];
  readonly nextSteps: readonly string[];
  readonly repeat: string;
  readonly outdated: readonly object[];
}
const document = ({ stdout }: Ended): Document => JSON.parse(stdout) as Document;

describe('new server', () => {
  it.each([
    ['git', '--git', /error: Cannot find the program "git"\.\n {2}help: The project is written\./],
    ['npm', '--install', /"npm"\.\n.* run in its folder: npm install\n$/],
  ])('is complete without %s, and names the command that is left to run', async (_, flag, says) => {
    const args = ['new', 'server', 'shop', '--yes', '--revisions', '2025-11-25', flag];
    const { code, stderr } = await run(args, { cwd, env: { PATH: cwd } });
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'shop/package.json'))).toBe(true);
  });

  it.each([
    ['ends', 1, 'process.exit(130)'],
    ['goes on, which a second Ctrl-C kills', 2, "console.log('stubborn')"],
  ])(
    'names the remaining command after Ctrl-C, when the installation %s',
    async (_, times, does) => {
      // A program in the place of npm that waits, and what it does on SIGINT.
      const npm = `#!${process.execPath}\nprocess.on('SIGINT', () => { ${does} });\nsetInterval(() => {}, 1000);\nconsole.log('installing');\n`;
      writeFileSync(join(cwd, 'npm'), npm, { mode: 0o755 });
      const args = ['new', 'server', 'shop', '--yes', '--revisions', '2025-11-25', '--install'];
      const child = start(args, { cwd, env: { PATH: cwd } });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const shows = (text: string) =>
        vi.waitUntil(() => stderr.includes(text), { timeout: 100_000 });
      await shows('installing\n');
      child.kill('SIGINT');
      if (times === 2) await shows('stubborn\n');
      if (times === 2) child.kill('SIGINT');
      const [code] = (await once(child, 'close')) as [number | null];
      expect(stderr).toMatch(
        /error: Interrupted: "npm install" did not finish\.\n {2}help: The project is written\. To complete it, run in its folder: npm install\n$/,
      );
      expect(code).toBe(130);
      expect(existsSync(join(cwd, 'shop/package.json'))).toBe(true);
    },
  );

  it('names all commands that are left when the first one fails', async () => {
    const args = [
      'new',
      'server',
      'shop',
      '--yes',
      '--revisions',
      '2025-11-25',
      '--git',
      '--install',
    ];
    const { code, stderr } = await run(args, { cwd, env: { PATH: cwd } });
    expect(stderr).toMatch(/run in its folder: git init --quiet && npm install\n$/);
    expect(code).toBe(2);
  });

  it('refuses a version of the runtime that cannot be installed', async () => {
    const { code, stderr } = await server('shop', '--runtime', '>>x');
    expect(stderr).toContain('Invalid version ">>x" for --runtime.');
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'shop'))).toBe(false);
  });

  it.each(['./runtime-1.0.0.tgz', 'https://example.com/runtime-1.0.0.tgz'])(
    'takes the runtime from %s, and the tool from its tarball',
    async (place) => {
      expect((await server('shop', '--runtime', place)).code).toBe(0);
      const [tarball = '', ...more] = tarballs();
      expect(more).toEqual([]);
      expect(JSON.parse(packageJson())).toMatchObject({
        dependencies: { '@mcp-codegen/runtime': place },
        devDependencies: { 'mcp-codegen': `file:vendor/${tarball}` },
      });
      expect(read('shop/Dockerfile')).toContain('COPY vendor ./vendor');
    },
  );

  it('makes a project that depends on the runtime and prints the next steps', async () => {
    const { code, stdout, stderr } = await server('shop', '--store', 'sqlite');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^shop\/\n[^]*\n {2}src\/\n {4}tools\/\n(?: {6}.*\n)* {6}count-words\.ts\n/,
    );
    expect(stdout).toMatch(/^\d+ files created\.$/m);
    expect(stdout).toContain('  cd shop\n  npm install\n  npm run test\n  npm run build\n');
    const { name, dependencies, optionalDependencies } = JSON.parse(
      read('shop/package.json'),
    ) as Record<string, unknown>;
    expect(name).toBe('shop');
    expect(Object.keys(dependencies as object)).toEqual(['@mcp-codegen/runtime', 'pino', 'zod']);
    expect(readdirSync(join(cwd, 'shop/vendor')).map((each) => each.replace(/\d.*/, ''))).toEqual([
      'mcp-codegen-',
      'mcp-codegen-runtime-',
    ]);
    expect(Object.keys(optionalDependencies as object)).toEqual(['libsql']);
    for (const path of readdirSync(join(cwd, 'shop/src'), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      const text = read(`shop/src/${path}`);
      expect(text).not.toMatch(/my-mcp-server|from 'mcp-codegen/);
      // The wire is the runtime's: only tests use a package of the SDK.
      expect(text).not.toContain('@modelcontextprotocol/');
    }
  });

  it('makes the same project with the command that it prints', async () => {
    const flags = ['--transport', 'http', '--auth', 'bearer', '--dialects', 'ext', '--pm', 'bun'];
    const first = document(await server('one', ...flags, '--json'));
    const [, , ...words] = first.repeat.split(' ');
    rmSync(join(cwd, 'one'), { recursive: true });
    const { code } = await cli(...words);
    expect(code).toBe(0);
    const again = document(await server('one', ...flags, '--json'));
    expect(new Set(again.files.map(({ action }) => action))).toEqual(new Set(['skip']));
    expect(first.nextSteps.slice(-2)).toEqual(['cp .env.example .env', 'node dist/main.js']);
  });

  it('shows the plan with --dry-run and writes nothing', async () => {
    const { code, stdout } = await server('shop', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('create    shop/src/main.ts\n');
    expect(stdout).toContain('Nothing was written.');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('stops at a conflict before the first write, unless --force is given; creates a repository', async () => {
    mkdirSync(join(cwd, 'shop'));
    write('shop/README.md', 'mine');
    const { code, stdout } = await server('shop');
    expect(code).toBe(5);
    expect(stdout).toContain('conflict  shop/README.md');
    expect(readdirSync(join(cwd, 'shop'))).toEqual(['README.md']);
    expect((await server('shop', '--force', '--git')).code).toBe(0);
    expect(read('shop/README.md')).toContain('# shop');
    expect(readdirSync(join(cwd, 'shop'))).toContain('.git');
  });

  it('finds the package manager by a lock file, then by the caller', async () => {
    write('pnpm-lock.yaml', '');
    const locked = document(await server('a', '--dry-run', '--json'));
    rmSync(join(cwd, 'pnpm-lock.yaml'));
    const args = ['new', 'server', 'a', '--yes', '--dry-run', '--json'];
    const called = document(
      await run(args, { cwd, env: { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v20' } }),
    );
    expect([locked, called]).toMatchObject([
      { choices: { pm: ['pnpm'] } },
      { choices: { pm: ['yarn'] } },
    ]);
  });

  it.each([
    ['..', [], 'Invalid package name ".."'],
    ['../', [], 'Invalid package name ".."'],
    ['', [], 'Invalid package name ""'],
    ['two words', [], 'Invalid package name "two words"'],
    ['Shop', [], 'Invalid package name "Shop"'],
    ['node_modules', [], 'Invalid package name "node_modules"'],
    ['x'.repeat(215), [], 'Invalid package name'],
    ['shop', ['--name', '../../etc'], 'Invalid package name "../../etc"'],
    ['shop', ['--name', "x'); //"], 'Invalid package name'],
    ['a\u0007/shop', [], 'The folder name "a\\u0007/shop"'],
    ['file', [], '"file" is a file'],
    ['shop', ['--transport', 'htp'], 'Did you mean http?'],
    ['shop', ['--dialects', 'core,exd'], 'Did you mean ext?'],
    ['shop', ['--transport', 'stdio', '--auth', 'bearer'], 'has no tokens'],
    ['shop', ['--trasport', 'http'], 'Did you mean --transport?'],
  ])('refuses %j %j', async (dir, args, message) => {
    write('file', '');
    const { code, stderr } = await cli('new', 'server', dir, '--yes', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual(['file']);
  });

  it.each(
    SERVER.options
      .filter(({ isFlag }) => !isFlag)
      .flatMap(({ name }) => [[], ['shop'], ['Shop']].map((place) => ({ name, place }))),
  )(
    'names the wrong value of --$name before anything else, for $place',
    async ({ name, place }) => {
      const { code, stderr } = await cli('new', 'server', ...place, `--${name}`, 'ftp');
      expect({ code, said: stderr.split('\n', 1)[0] }).toEqual({
        code: 2,
        said: expect.stringContaining(`Unknown value "ftp" for --${name}.`) as string,
      });
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  it('names the flag of a missing option without a terminal', async () => {
    expect((await cli('new', 'server')).stderr).toContain('No folder is given.');
    const { code, stderr } = await cli('new', 'server', 'shop', '--transport', 'http');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'The option --store is missing.\n  help: Give --store memory|sqlite|postgres, or --yes',
    );
  });

  it('does not follow a symbolic link out of the folder', async () => {
    mkdirSync(join(cwd, 'shop'));
    mkdirSync(join(cwd, 'elsewhere'));
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'shop', 'src'));
    expect((await server('shop', '--force')).code).toBe(5);
    expect(readdirSync(join(cwd, 'elsewhere'))).toEqual([]);
  });
});

describe('new tool', () => {
  const inServer = (...args: string[]): Promise<Ended> => run(args, { cwd: join(cwd, 'shop') });

  it('adds a tool, its test and its entry in the list', async () => {
    copyServer();
    const list = read('shop/src/tools/index.ts');
    expect((await inServer('new', 'tool', 'look-up', '--dry-run')).code).toBe(0);
    expect(read('shop/src/tools/index.ts')).toBe(list);
    expect((await inServer('new', 'tool', 'look-up')).code).toBe(0);
    expect((await inServer('new', 'tool', 'delete')).code).toBe(0);
    expect(read('shop/src/tools/index.ts').split('\n').slice(4)).toEqual([
      "import { lookUp } from './look-up.js';",
      "import { deleteTool } from './delete.js';",
      '',
      '/** The tools of the server. */',
      'export const tools = [countWords, countPrimes, bookRoom, findOrder, lookUp, deleteTool];',
      '',
    ]);
    expect(readdirSync(join(cwd, 'shop/test'))).toContain('look-up.test.ts');

    write('shop/src/tools/look-up.ts', 'mine');
    const { code, stdout } = await inServer('new', 'tool', 'look-up');
    expect(code).toBe(5);
    expect(stdout).toContain('conflict  ./src/tools/look-up.ts');
    expect(read('shop/src/tools/look-up.ts')).toBe('mine');

    write('shop/src/tools/index.ts', 'export const others = [];');
    expect((await inServer('new', 'tool', 'more')).stderr).toContain('has no array named tools');
  });

  it.each(['../x', '..', '-', '', 'a b', 'é', "x';", 'a/b', 'x'.repeat(129)])(
    'refuses the name %j',
    async (name) => {
      mkdirSync(join(cwd, 'src/tools'), { recursive: true });
      write('src/tools/index.ts', 'export const tools = [];\n');
      const { code, stderr } = await cli('new', 'tool', name);
      expect(code).toBe(2);
      expect(stderr).toContain('Invalid tool name');
      expect(readdirSync(join(cwd, 'src/tools'))).toEqual(['index.ts']);
    },
  );

  it.each([
    ['resource', 'stock', 'src/resources/stock.ts', 'stockResource'],
    ['prompt', 'delete', 'src/prompts/delete.ts', 'deletePrompt'],
  ])('adds a %s, its test and its entry in the list', async (kind, name, path, local) => {
    copyServer();
    const before = read('shop/src/resources.ts');
    const { code, stdout } = await inServer('new', kind, name);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `create    ./${path}\ncreate    ./test/${name}.${kind}.test.ts\nupdate    ./src/resources.ts\n2 created, 1 updated.\n`,
    );
    const after = read('shop/src/resources.ts');
    const line = `import { ${local} } from './${kind}s/${name}.js';\n`;
    expect(after).toContain(line);
    expect(after.replace(line, '').replace(`, ${local}]`, ']')).toBe(before);
    expect((await inServer('new', kind, 'a/b')).stderr).toContain(`Invalid ${kind} name "a/b"`);
  });

  it('says that a project without tests gets none', async () => {
    copyServer();
    write('shop/package.json', packageJson().replace(/ *"vitest": .*\n/, ''));
    const { stdout } = await inServer('new', 'tool', 'look-up');
    expect(stdout).toContain('No test was added, because package.json does not have vitest.\n');
    expect(readdirSync(join(cwd, 'shop/test'))).toEqual(['server.test.ts']);
  });

  it('refuses to run outside a server project', async () => {
    const { code, stderr } = await cli('new', 'tool', 'look-up');
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot find src/tools/index.ts in the current folder.');
  });
});

describe('update', () => {
  const update = (...args: string[]): Promise<Ended> =>
    run(['update', ...args], { cwd: join(cwd, 'shop') });
  const OLD = ['mcp-codegen-0.0.9-0123456789ab.tgz', 'mcp-codegen-runtime-0.0.9-0123456789ab.tgz'];

  /** A project of an older version of this tool. */
  function copyOldServer(): string[] {
    copyServer();
    const now = tarballs();
    now.forEach((name, index) => {
      const old = OLD[index] ?? '';
      renameSync(join(cwd, 'shop/vendor', name), join(cwd, 'shop/vendor', old));
      write('shop/package.json', packageJson().replace(name, old));
    });
    return now;
  }

  it('replaces the tarball and the dependency, and prints the changes', async () => {
    const now = copyOldServer();
    write('shop/src/server.ts', 'mine');
    const before = packageJson();
    const dry = await update('--dry-run');
    for (const name of now) expect(dry.stdout).toContain(`create    ./vendor/${name}`);
    for (const name of OLD) expect(dry.stdout).toContain(`delete    ./vendor/${name}`);
    expect(packageJson()).toBe(before);

    const { code, stdout } = await update();
    expect(code).toBe(0);
    expect(stdout).toContain('What changed:\n\n# @mcp-codegen/runtime\n\n## 0.1.0');
    expect(tarballs()).toEqual(now);
    const after = now.reduce((text, name, index) => text.replace(OLD[index] ?? '', name), before);
    expect(packageJson()).toBe(after);
    expect(read('shop/src/server.ts')).toBe('mine');
    expect((await update()).stdout).toBe('1 unchanged.\n');
  });

  it('uses a version from the registry and deletes the tarball', async () => {
    copyServer();
    const { code, stdout } = await update('--runtime', '^0.1.0');
    expect(code).toBe(0);
    expect(stdout).toContain('delete its line "COPY vendor ./vendor"');
    expect(existsSync(join(cwd, 'shop/vendor'))).toBe(false);
    expect(JSON.parse(packageJson())).toMatchObject({
      dependencies: { '@mcp-codegen/runtime': '^0.1.0' },
      devDependencies: { 'mcp-codegen': '^0.1.0' },
    });
    expect((await update()).code).toBe(0);
    expect(tarballs()).toHaveLength(2);
  });

  it('takes the runtime from a path, and keeps the tarball of the tool', async () => {
    copyServer();
    const [tool = ''] = tarballs();
    const { code, stdout } = await update('--runtime', '../runtime-1.0.0.tgz');
    expect(code).toBe(0);
    expect(stdout).not.toContain('COPY vendor');
    expect(tarballs()).toEqual([tool]);
    expect(JSON.parse(packageJson())).toMatchObject({
      dependencies: { '@mcp-codegen/runtime': '../runtime-1.0.0.tgz' },
      devDependencies: { 'mcp-codegen': `file:vendor/${tool}` },
    });
  });

  it.each([
    ['server', [], 2],
    ['client', [], 2],
    ['server', ['--minimal'], 1],
    ['client', ['--minimal'], 1],
  ])('adds the tool to a %s %j that lacks it, unless it is minimal', async (kind, flags, count) => {
    await cli('new', kind, 'shop', '--yes', ...flags);
    const made = packageJson();
    const before = JSON.parse(made) as { devDependencies: Record<string, string> };
    delete before.devDependencies['mcp-codegen'];
    write('shop/package.json', `${JSON.stringify(before, null, 2)}\n`);
    for (const name of tarballs()) {
      if (!name.includes('runtime')) rmSync(join(cwd, 'shop/vendor', name));
    }
    expect((await update()).code).toBe(0);
    expect(packageJson()).toBe(made);
    expect(tarballs()).toHaveLength(count);
  });

  it('adds the tool where there are no other packages for development', async () => {
    copyServer();
    const { devDependencies: _, ...before } = JSON.parse(packageJson()) as Record<string, object>;
    write('shop/package.json', JSON.stringify(before, null, '\t'));
    expect((await update()).code).toBe(0);
    const devDependencies = { 'mcp-codegen': `file:vendor/${tarballs()[0] ?? ''}` };
    expect(packageJson()).toBe(JSON.stringify({ ...before, devDependencies }, null, '\t'));
  });

  it('refuses a version that cannot be installed', async () => {
    copyServer();
    const before = packageJson();
    const { code, stderr } = await update('--runtime', '>>x');
    expect(stderr).toContain('Invalid version ">>x" for --runtime.');
    expect(code).toBe(2);
    expect(packageJson()).toBe(before);
  });

  it('deletes no tarball of the user', async () => {
    copyServer();
    write('shop/vendor/mine.tgz', 'mine');
    const [, now = ''] = tarballs();
    write('shop/package.json', packageJson().replace(`vendor/${now}`, 'vendor/mine.tgz'));
    expect((await update()).code).toBe(0);
    expect(read('shop/vendor/mine.tgz')).toBe('mine');
  });

  it('lists the packages that the runtime needs in another version', async () => {
    copyServer();
    const before = packageJson();
    write('shop/package.json', before.replace(/("zod": )"[^"]+"/, '$1"1.0.0"'));
    const { outdated } = document(await update('--json'));
    expect(outdated).toEqual([
      {
        name: 'zod',
        wanted: expect.any(String) as string,
        found: '1.0.0',
      },
    ]);
  });

  it.each([
    ['', 'Cannot find package.json in the current folder'],
    ['{}', 'package.json has no entry "mcp-codegen"'],
    ['[]', 'package.json has no entry "mcp-codegen"'],
    ['x', 'package.json has no entry "mcp-codegen"'],
    ['{"mcp-codegen":{"template":"server"}}', 'does not depend on @mcp-codegen/runtime'],
    [
      '{"mcp-codegen":{"template":"sever"},"dependencies":{"@mcp-codegen/runtime":"1"}}',
      'names an unknown template: "sever"',
    ],
  ])('refuses a folder whose package.json is %j', async (text, message) => {
    if (text) write('package.json', text);
    const { code, stderr } = await cli('update');
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe.skipIf(!hasPty)('on a real terminal', () => {
  const ENTER = '\r';
  const CANCEL = '\u0003';
  const END_OF_INPUT = '\u0004';

  it('writes no file when the user cancels', async () => {
    const { typed, code } = openPty([process.execPath, BIN, 'new', 'server'], cwd);
    await typed('Which folder should contain the project?', `shop${ENTER}`);
    await typed('stdio', CANCEL);
    expect(await code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['the folder', [], 'Which folder should contain the project?'],
    ['an option', ['shop'], 'stdio'],
    [
      'yes or no',
      ['shop', '--transport', 'stdio', '--store', 'memory'],
      'Create a git repository?',
    ],
  ])('takes the end of input at %s for a cancellation', async (_, args, prompt) => {
    const pty = openPty([process.execPath, BIN, 'new', 'server', ...args], cwd);
    await pty.typed(prompt, END_OF_INPUT);
    expect(await pty.code).toBe(130);
    expect(pty.shown()).toContain('Interrupted: nothing was written.');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['server', ['server'], 'my-mcp-server'],
    ['client', ['client', 'shop'], 'shop'],
  ])('asks nothing more when files of a %s are in the way', async (_, args, folder) => {
    mkdirSync(join(cwd, folder));
    write(`${folder}/package.json`, '{}');
    write(`${folder}/notes.txt`, 'mine');
    const { typed, shown, code } = openPty([process.execPath, BIN, 'new', ...args], cwd);
    if (args.length === 1) await typed('Which folder should contain the project?', ENTER);
    expect(await code).toBe(5);
    const text = stripVTControlCharacters(shown());
    expect(text.slice(text.indexOf('conflict  ')).split('\r\n')).toEqual([
      `conflict  ${folder}/package.json was not generated by this tool`,
      expect.stringMatching(/^Nothing was written: one file is in conflict\. /),
      '',
    ]);
    expect(readdirSync(join(cwd, folder))).toEqual(['notes.txt', 'package.json']);
  });

  it('asks on in a folder whose files are not in the way', async () => {
    mkdirSync(join(cwd, 'shop'));
    write('shop/notes.txt', 'mine');
    const { typed, code } = openPty([process.execPath, BIN, 'new', 'server', 'shop'], cwd);
    await typed('stdio', CANCEL);
    expect(await code).toBe(130);
  });

  it('asks for the folder again when its name is invalid', async () => {
    const { typed, code } = openPty([process.execPath, BIN, 'new', 'server'], cwd);
    await typed('Which folder should contain the project?', `My Shop${ENTER}`);
    await typed('Invalid package name', CANCEL);
    expect(await code).toBe(130);
  });

  it('takes a terminal without a size for one of 80 columns', async () => {
    const { typed, code } = openPty([process.execPath, BIN, 'new', 'server'], cwd, 0);
    await typed('Which folder should contain the project?', CANCEL);
    expect(await code).toBe(130);
  });
});
