import { join } from 'node:path';
import ts from 'typescript';
import type { Bench } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { root } from '../report/results.js';

/** Where declarations of Zod schemas lie, by who wrote them. */
const MODULES: Readonly<Record<string, string>> = {
  [OURS]: './runtime/dist/generated/2025-11-25/zod.js',
  'SDK v2': '@modelcontextprotocol/core',
  'SDK v1': '@modelcontextprotocol/sdk/types.js',
};

/** What the compiler does for one schema when it finds the types of the values of all schemas of a module. */
export const declarations: Bench = {
  name: 'schemas/declarations',
  run: () => {
    const bars = Object.entries(MODULES).map(([name, module]) => [name, [instantiations(module)]]);
    return Promise.resolve([
      measured({
        row: 'type instantiations to infer the values of a Zod schema from its declaration',
        unit: 'each',
        better: 'less',
        bars: Object.fromEntries(bars) as Record<string, readonly number[]>,
        times: { 'SDK v2': 1 },
      }),
    ]);
  },
};

function instantiations(module: string): number {
  const path = join(root, 'declarations.bench.ts');
  const text = `import * as z from 'zod';
import * as all from '${module}';
type Values = { [K in keyof typeof all]: (typeof all)[K] extends z.ZodType ? z.output<(typeof all)[K]> : never };
export const use = (values: Values): unknown => { const copy: { [K in keyof Values]: Values[K] } = values; return copy; };
`;
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const own: Partial<ts.CompilerHost> = {
    getSourceFile: (name, language) =>
      name === path
        ? ts.createSourceFile(name, text, language)
        : host.getSourceFile(name, language),
    fileExists: (name) => name === path || host.fileExists(name),
    readFile: (name) => (name === path ? text : host.readFile(name)),
  };
  const program = ts.createProgram([path], options, { ...host, ...own });
  const found = program.getSemanticDiagnostics(program.getSourceFile(path));
  if (found.length > 0) throw new Error(ts.formatDiagnostics(found, host));
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const imported = source?.statements.filter(ts.isImportDeclaration)[1]?.moduleSpecifier;
  const symbol = imported && checker.getSymbolAtLocation(imported);
  const names = symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : [];
  return Math.round(program.getInstantiationCount() / names.filter(isSchema).length);
}

const isSchema = (name: string): boolean => name.endsWith('Schema');
