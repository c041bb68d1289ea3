import ts from 'typescript';

const ROOT = '/virtual/';
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  isolatedDeclarations: true,
  declaration: true,
  skipLibCheck: true,
};

/**
 * Checks files in this process, without packages, which takes a second: `compileWith` starts a compiler. Gives the diagnostics
 * of the files that `isChecked` names, each as `file(line): TS0000: text`.
 */
export function checkTypes(
  files: Readonly<Record<string, string>>,
  isChecked: (path: string) => boolean,
): string[] {
  const textOf = (name: string): string | undefined =>
    name.startsWith(ROOT) ? files[name.slice(ROOT.length)] : ts.sys.readFile(name);
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(OPTIONS),
    getSourceFile(name, options) {
      const text = textOf(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, options);
    },
    fileExists: (name) => textOf(name) !== undefined,
    readFile: textOf,
    directoryExists: (name) => name.startsWith(ROOT.slice(0, -1)),
    getCurrentDirectory: () => ROOT,
  };
  const paths = Object.keys(files).map((path) => ROOT + path);
  const program = ts.createProgram(paths, OPTIONS, host);
  return program
    .getSourceFiles()
    .filter(({ fileName }) => paths.includes(fileName) && isChecked(fileName.slice(ROOT.length)))
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(({ file, start = 0, code, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      const text = ts.flattenDiagnosticMessageText(messageText, '\n');
      return `${file?.fileName.slice(ROOT.length) ?? ''}(${String(line)}): TS${String(code)}: ${text}`;
    });
}
