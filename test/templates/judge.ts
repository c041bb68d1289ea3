import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

/** Files of packages are the same for all programs, and parsed once. */
const packaged = new Map<string, ts.SourceFile | undefined>();

/** Projects that the compiler and the linter read at once, as one program. */
export interface Judge {
  /** The compiler's errors in one of the projects. */
  checkTypes(root: string): string[];
  /** ESLint's errors and warnings in one of the projects. */
  lint(root: string): string[];
}

/**
 * Reads projects of one folder as one program, because most of what a compiler reads of each is
 * the same. They must have the same settings of the compiler and, where they have any, of ESLint. `config` is the
 * file of ESLint for projects that have none.
 *
 * @throws when settings differ.
 */
export async function judge(roots: readonly string[], config?: string): Promise<Judge> {
  const program = programOf(roots);
  const findings = await lintAll(roots, program, config ?? sharedConfig(roots));
  return {
    checkTypes: (root) => typesOf(program, root),
    lint: (root) => findings.get(root) ?? fail(`${root} is not linted`),
  };
}

/** The compiler's errors in one project, which it compiles with the project's own settings. */
export function checkTypes(root: string): string[] {
  return typesOf(programOf([root]), root);
}

function programOf(roots: readonly string[]): ts.Program {
  const settings = ts.readConfigFile(sharedBy(roots, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  );
  const projects = roots.map((root) =>
    ts.parseJsonConfigFileContent(settings.config, ts.sys, root),
  );
  const errors = projects.flatMap((project) => project.errors);
  if (errors.length > 0) fail(errors.map((each) => describe(each, '')).join('\n'));
  const options = projects[0]?.options ?? {};
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes('/node_modules/')) return read(path, ...rest);
    if (!packaged.has(path)) packaged.set(path, read(path, ...rest));
    return packaged.get(path);
  };
  const fileNames = projects.flatMap((project) => project.fileNames);
  return ts.createProgram(fileNames, options, host);
}

function typesOf(program: ts.Program, root: string): string[] {
  const files = ownFiles(program, root);
  if (files.length === 0) fail(`${root} has no files`);
  return files
    .flatMap((file) => ts.getPreEmitDiagnostics(program, file))
    .map((each) => describe(each, root));
}

function ownFiles(program: ts.Program, root: string): ts.SourceFile[] {
  return program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${root}/`));
}

function describe({ file, messageText }: ts.Diagnostic, root: string): string {
  const place = file ? `${relative(root, file.fileName)}: ` : '';
  return place + ts.flattenDiagnosticMessageText(messageText, '\n');
}

function sharedConfig(roots: readonly string[]): string {
  const name = 'eslint.config.js';
  return sharedBy(
    roots.filter((root) => existsSync(join(root, name))),
    name,
  );
}

/**
 * What ESLint says, by the project's folder. A file that is, to the letter, in several projects is
 * linted in the first of them only.
 */
async function lintAll(
  roots: readonly string[],
  program: ts.Program,
  config: string,
): Promise<Map<string, string[]>> {
  const cwd = dirname(roots[0] ?? '');
  const eslint = new ESLint({
    cwd,
    overrideConfigFile: config,
    // In place of a program for each project.
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: {
        // Without a root of its own, the parser takes those of all projects that it has met before.
        parserOptions: { projectService: false, programs: [program], tsconfigRootDir: cwd },
      },
    },
  });
  const seen = new Set<string>();
  const findings = new Map<string, string[]>();
  for (const root of roots) {
    const files = ownFiles(program, root).filter(({ fileName, text }) => {
      const key = fileName.slice(root.length) + text;
      return !seen.has(key) && seen.add(key);
    });
    const paths = files.map(({ fileName }) => fileName);
    const results = paths.length === 0 ? [] : await eslint.lintFiles(paths);
    const texts = results.flatMap(({ filePath, messages }) =>
      messages.map(({ message, line }) => `${relative(root, filePath)}:${line} ${message}`),
    );
    findings.set(root, texts);
  }
  return findings;
}

/** The path of a file that is, to the letter, the same in all projects: that of the first. */
function sharedBy(roots: readonly string[], name: string): string {
  const [first = ''] = roots.map((root) => join(root, name));
  const text = readFileSync(first, 'utf8');
  const other = roots.find((root) => readFileSync(join(root, name), 'utf8') !== text);
  if (other !== undefined) fail(`${name} of ${other} is not that of ${first}`);
  return first;
}

function fail(message: string): never {
  throw new Error(message);
}
