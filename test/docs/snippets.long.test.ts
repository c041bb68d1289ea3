import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readTools } from '../../generator/tools/index.js';
import { toolModules } from '../tools/modules.js';
import { newProject, type Project, runtimeTarball } from '../packages/packed.js';
import { asCommonJs, pages, root, type Snippet, snippetsIn } from './snippets.js';

const COMPILERS = {
  '5.9': 'typescript-5.9',
  '6.0': 'typescript',
  '7.0': 'typescript-7',
} as const;

const MODULES = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

const OPTIONS = {
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  esModuleInterop: true,
  // Skips the declarations of frameworks.
  skipLibCheck: true,
  types: ['node'],
  noEmit: true,
};

/** The quick compiler compiles all combinations; with the others each pair of values occurs. */
const CASES = [
  { type: 'module', version: '5.9', modules: 'nodenext' },
  { type: 'commonjs', version: '5.9', modules: 'bundler' },
  { type: 'module', version: '6.0', modules: 'bundler' },
  { type: 'commonjs', version: '6.0', modules: 'nodenext' },
  ...(['module', 'commonjs'] as const).flatMap((type) =>
    (['nodenext', 'bundler'] as const).map(
      (modules) => ({ type, version: '7.0', modules }) as const,
    ),
  ),
] as const;

const snippets = pages()
  .flatMap((page) => snippetsIn(page))
  .filter(({ language, words }) => language === 'ts' && words === '');

/** The tools of the module that docs/tools.md generates. */
const WEATHER = [
  {
    name: 'current_weather',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    outputSchema: {
      type: 'object',
      properties: { celsius: { type: 'number' } },
      required: ['celsius'],
    },
  },
];

/** A snippet that starts with its path gets that file name, so that another snippet can import it. */
const fileOf = ({ page, line, text }: Snippet): string =>
  /^\/\/ \S*?([\w.-]+\.ts)\n/.exec(text)?.[1] ?? `${page.replace(/\W+/g, '-')}-line-${line}.ts`;

/** Links every package of this repository, except its own, into the project. */
function linkPackages(folder: string): void {
  const from = join(root, 'node_modules');
  const to = join(folder, 'node_modules');
  for (const name of readdirSync(from)) {
    if (/^\.|^@?mcp-codegen$/.test(name)) continue;
    symlinkSync(join(from, name), join(to, name));
  }
  symlinkSync(root, join(to, 'mcp-codegen'));
}

describe.each(['module', 'commonjs'] as const)('in a package of type %s', (type) => {
  let project: Project;
  // CommonJS has no `import.meta`.
  const compiled = snippets.filter(
    ({ text }) => type === 'module' || !text.includes('import.meta'),
  );

  beforeAll(async () => {
    project = newProject();
    project.install(runtimeTarball());
    linkPackages(project.folder);
    project.write('package.json', JSON.stringify({ name: 'reader', private: true, type }));
    mkdirSync(join(project.folder, 'tools'));
    for (const [path, text] of Object.entries(
      await toolModules(readTools(WEATHER).tools, 'weather'),
    )) {
      mkdirSync(dirname(join(project.folder, 'tools', path)), { recursive: true });
      project.write(`tools/${path}`, text);
    }
    for (const snippet of compiled) {
      const { text } = snippet;
      project.write(fileOf(snippet), type === 'module' ? text : asCommonJs(text));
    }
  });
  afterAll(() => project.remove());

  function compile(compiler: string, compilerOptions: object, files: string[]): Promise<string> {
    const config = { compilerOptions: { ...OPTIONS, ...compilerOptions }, files };
    project.write('tsconfig.json', JSON.stringify(config));
    const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc');
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [tsc, '--pretty', 'false'], { cwd: project.folder }, (...done) => {
        const [error, stdout, stderr] = done;
        if (error !== null && stdout === '') reject(new Error(stderr));
        else resolve(stdout);
      });
    });
  }

  const files = compiled.map(fileOf);

  it.each(CASES.filter((each) => each.type === type))(
    'all snippets compile with TypeScript $version and module $modules',
    async ({ version, modules }) => {
      expect(files.length).toBeGreaterThan(30);
      expect(await compile(COMPILERS[version], MODULES[modules], files)).toBe('');
    },
  );

  it('a snippet with a missing export does not compile', async () => {
    project.write(
      'wrong.ts',
      "import { nothing } from '@mcp-codegen/runtime/server';\nnothing();\n",
    );
    const output = await compile(COMPILERS['6.0'], MODULES.nodenext, ['wrong.ts']);
    expect(output).toContain(
      'wrong.ts(1,10): error TS2305: Module \'"@mcp-codegen/runtime/server"\'',
    );
  });
});
