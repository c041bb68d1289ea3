import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { clearCaches } from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import ts from 'typescript';

/** Files of packages are the same for all projects, and parsed once. */
const packaged = new Map<string, ts.SourceFile | undefined>();
/** Generated files, by path in the project and text, that a project has passed with. */
const passed = new Set<string>();

/**
 * What the compiler says about a project under its own settings; nothing when all is well. A
 * generated file that is, to the letter, in several projects is checked in the first of them only.
 */
export function checkTypes(root: string): string[] {
  const settings = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
    settings.config,
    ts.sys,
    root,
  );
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    if (!path.includes('/node_modules/')) return read(path, ...rest);
    if (!packaged.has(path)) packaged.set(path, read(path, ...rest));
    return packaged.get(path);
  };
  const program = ts.createProgram(fileNames, options, host);
  const found = fileNames.flatMap((file) => {
    const source = program.getSourceFile(file);
    const key = file.includes('/src/mcp/') ? file.slice(root.length) + (source?.text ?? '') : file;
    if (passed.has(key)) return [];
    const diagnostics = ts.getPreEmitDiagnostics(program, source);
    if (diagnostics.length === 0) passed.add(key);
    return diagnostics;
  });
  return [...errors, ...program.getOptionsDiagnostics(), ...found].map(({ file, messageText }) => {
    const place = file ? `${relative(root, file.fileName)}: ` : '';
    return place + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}

/** Files, by path in the project and text, that ESLint was content with. */
const clean = new Set<string>();

/**
 * What ESLint says about a project under its own settings. A file that is, to the letter, in several
 * projects is looked at in the first of them only.
 */
export async function lint(root: string): Promise<string[]> {
  const eslint = new ESLint({ cwd: root, warnIgnored: false });
  const keyOf = (path: string): string => path + readFileSync(join(root, path), 'utf8');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path))
    .filter((path) => !clean.has(keyOf(path)));
  if (files.length === 0) return [];
  const results = await eslint.lintFiles(files);
  // The parser keeps the program of every project that it has read, some hundred megabytes each.
  clearCaches();
  return results.flatMap(({ filePath, messages }) => {
    const path = relative(root, filePath);
    if (messages.length === 0) clean.add(keyOf(path));
    return messages.map(({ message, line }) => `${path}:${line} ${message}`);
  });
}
