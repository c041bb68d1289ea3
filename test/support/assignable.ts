import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Revision } from './corpus/index.js';
import { compileWith } from './ts-compile.js';
import type { TypeScriptVersion } from './ts-compile.js';

/** A module that exports types, and the files that it needs, by path from one folder. */
export interface TypeSources {
  readonly entry: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface Mismatch {
  readonly name: string;
  /** The direction in which a value is not assignable. `any` is assignable in both, so it proves nothing. */
  readonly fault: 'ours is not theirs' | 'theirs is not ours' | 'ours is any' | 'theirs is any';
  readonly diagnostic: string;
}

export interface Comparison {
  /** Names of types that both modules export. */
  readonly compared: readonly string[];
  readonly mismatches: readonly Mismatch[];
  readonly onlyOurs: readonly string[];
  readonly onlyTheirs: readonly string[];
}

/**
 * Whether each type that both modules export is assignable to the other's of the same name, by the
 * compiler itself and without a cast.
 *
 * @throws when either module does not compile: what it exports would pass for `any`.
 */
export async function compareTypes(
  version: TypeScriptVersion,
  ours: TypeSources,
  theirs: TypeSources,
): Promise<Comparison> {
  const ourNames = exportedTypes(ours);
  const theirNames = exportedTypes(theirs);
  const compared = ourNames.filter((name) => theirNames.includes(name));
  const assertions = compared.flatMap(assertionsFor);
  const files = {
    ...within('ours', ours),
    ...within('theirs', theirs),
    'compare.ts': [...prelude(ours, theirs), ...assertions.map(({ statement }) => statement)].join(
      '\n',
    ),
  };
  // Relaxed options, because only assignability matters.
  const options = {
    isolatedDeclarations: false,
    verbatimModuleSyntax: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const diagnostics = await compileWith(version, files, options);
  const offset = prelude(ours, theirs).length + 1;
  const mismatches = diagnostics.map((diagnostic): Mismatch => {
    const line = Number(/^compare\.ts\((\d+),/.exec(diagnostic)?.[1]);
    const assertion = assertions[line - offset];
    if (assertion === undefined) throw new Error(`Not comparable: ${diagnostic}`);
    return { name: assertion.name, fault: assertion.fault, diagnostic };
  });
  return {
    compared,
    mismatches,
    onlyOurs: ourNames.filter((name) => !theirNames.includes(name)),
    onlyTheirs: theirNames.filter((name) => !ourNames.includes(name)),
  };
}

const prelude = (ours: TypeSources, theirs: TypeSources): string[] => [
  `import type * as ours from './ours/${importable(ours.entry)}';`,
  `import type * as theirs from './theirs/${importable(theirs.entry)}';`,
  'type IsAny<T> = 0 extends 1 & T ? true : false;',
];

const importable = (entry: string): string => entry.replace(/(?:\.d)?\.ts$/, '.js');

interface Assertion extends Omit<Mismatch, 'diagnostic'> {
  /** On one line, so that a diagnostic's line identifies it. */
  readonly statement: string;
}

const assertionsFor = (name: string): Assertion[] => [
  {
    name,
    fault: 'ours is not theirs',
    statement: `export const to${name} = (value: ours.${name}): theirs.${name} => value;`,
  },
  {
    name,
    fault: 'theirs is not ours',
    statement: `export const from${name} = (value: theirs.${name}): ours.${name} => value;`,
  },
  {
    name,
    fault: 'ours is any',
    statement: `export const ours${name}: IsAny<ours.${name}> = false;`,
  },
  {
    name,
    fault: 'theirs is any',
    statement: `export const theirs${name}: IsAny<theirs.${name}> = false;`,
  },
];

const within = (folder: string, { files }: TypeSources): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

/** Names of the interfaces and type aliases that a module exports, also by `export *`. */
function exportedTypes({ entry, files }: TypeSources): string[] {
  const source = ts.createSourceFile(entry, files[entry] ?? '', ts.ScriptTarget.Latest);
  return source.statements.flatMap((node) => {
    if (ts.isExportDeclaration(node) && node.exportClause === undefined) {
      return exportedTypes({ entry: fileNamed(node.moduleSpecifier), files });
    }
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    if (!isType || !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      return [];
    }
    return [node.name.text];
  });
}

/** Of modules in one folder: `./name.js` is the file `name.ts`. */
function fileNamed(specifier: ts.Expression | undefined): string {
  if (specifier === undefined || !ts.isStringLiteral(specifier)) throw new Error('No module named');
  return specifier.text.replace(/^\.\//, '').replace(/\.js$/, '.ts');
}

/** The folder of the official TypeScript files, as `<folder>/<revision>/schema.ts`. */
export const upstreamTypesVariable = 'MCP_UPSTREAM_TYPES';

/** Version 1 of the official SDK contains the official types of this revision. */
const sdkRevision = '2025-11-25';
const sdkTypes = new URL(
  '../../node_modules/@modelcontextprotocol/sdk/dist/esm/spec.types.d.ts',
  import.meta.url,
);

/** The official types of a revision, from the folder in the variable or from the SDK, if available. */
export function upstreamTypes(revision: Revision): TypeSources | undefined {
  const folder = process.env[upstreamTypesVariable];
  const found = folder === undefined ? undefined : typesIn(join(folder, revision));
  if (found !== undefined || revision !== sdkRevision) return found;
  const entry = 'spec.types.d.ts';
  return { entry, files: { [entry]: readFileSync(sdkTypes, 'utf8') } };
}

function typesIn(folder: string): TypeSources | undefined {
  // The Tasks extension keeps its copy of the core types in a second file.
  const names = ['schema.ts', 'spec.types.ts'].filter((name) => existsSync(join(folder, name)));
  if (!names.includes('schema.ts')) return undefined;
  const files: Record<string, string> = {
    'all.ts': names.map((name) => `export type * from './${importable(name)}';`).join('\n'),
  };
  for (const name of names) files[name] = readFileSync(join(folder, name), 'utf8');
  return { entry: 'all.ts', files };
}
