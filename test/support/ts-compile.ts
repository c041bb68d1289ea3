import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compilers that generated code has to pass, and the packages that carry them. */
const compilers = {
  '5.9': 'typescript-5.9',
  '6.0': 'typescript',
  '7.0': 'typescript-7',
} as const;
export type TypeScriptVersion = keyof typeof compilers;
export const typeScriptVersions: readonly TypeScriptVersion[] = ['5.9', '6.0', '7.0'];

const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * The strictest options. Declarations are written, so that they are checked too. Those of packages and of the
 * language are checked on request only, which takes longer than most files.
 */
const strictest = {
  target: 'es2022',
  module: 'nodenext',
  types: [],
  rootDir: '.',
  outDir: 'out',
  declaration: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
};

/**
 * Compiles the files, by path, in a folder of their own from which the project's dependencies can
 * be imported. Gives the diagnostics, each as `file(line,column): error TS0000: text`, with
 * paths from that folder; none when it compiles. `options` are `compilerOptions` on top.
 *
 * @throws when the compiler fails without a diagnostic.
 */
export async function compileWith(
  version: TypeScriptVersion,
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-codegen-compile-'));
  try {
    await symlink(nodeModules, join(folder, 'node_modules'), 'junction');
    await writeFiles(folder, {
      'package.json': JSON.stringify({ type: 'module' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...strictest, ...options },
        files: Object.keys(files).filter((path) => /\.[cm]?ts$/.test(path)),
      }),
      ...files,
    });
    return diagnosticsIn(await runCompiler(version, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function runCompiler(version: TypeScriptVersion, folder: string): Promise<string> {
  const compiler = join(nodeModules, compilers[version], 'bin', 'tsc');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [compiler, '-p', 'tsconfig.json', '--pretty', 'false'],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error !== null && !/error TS\d+/.test(stdout)) {
          reject(new Error(`TypeScript ${version} failed: ${stderr || error.message}`));
        } else resolve(stdout);
      },
    );
  });
}

/** One text a diagnostic: the indented lines that follow one explain it further. */
function diagnosticsIn(output: string): string[] {
  const diagnostics: string[] = [];
  for (const line of output.split(/\r?\n/).filter((text) => text !== '')) {
    const last = diagnostics.at(-1);
    if (/^\s/.test(line) && last !== undefined) {
      diagnostics[diagnostics.length - 1] = `${last}\n${line}`;
    } else diagnostics.push(line);
  }
  return diagnostics;
}
