import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { build, type Metafile } from 'esbuild';

import { files } from '../../bench/server/files.js';
import { size } from '../../bench/server/size.js';
import { roomOf } from '../../test/support/rooms.js';
import type { Figures } from './judge.js';

/** What is measured, by the beginning of its name. */
export const GROUPS = {
  lines: 'lines of TypeScript',
  run: 'files that run',
  functions: 'functions that run',
  start: 'files that a command loads',
  load: 'files that a command can load',
  size: 'kilobytes',
} as const;

const PRODUCT = ['cli', 'contracts', 'generator', 'json-schema', 'pages', 'runtime'] as const;

/** All figures, by name. */
export async function measure(root: string): Promise<Figures> {
  return {
    ...linesOf(sourcesOf(root)),
    ...(await filesThatRun()),
    ...(await filesThatLoad(root)),
    ...(await kilobytes(root)),
  };
}

/** The TypeScript of the product, by path. */
export function sourcesOf(root: string): ReadonlyMap<string, string> {
  const paths = PRODUCT.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.[cm]?tsx?$/.test(path) && !/\/(?:dist|node_modules)\//.test(path)),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** The lines of each room, of both parts of the product, and of all. */
export function linesOf(sources: ReadonlyMap<string, string>): Figures {
  const lines: Record<string, number> = {};
  const add = (place: string, count: number): void => {
    const name = `${GROUPS.lines}, ${place}`;
    lines[name] = (lines[name] ?? 0) + count;
  };
  for (const [path, text] of sources) {
    const count = text.split('\n').length - 1;
    add('in all', count);
    add(`all of ${path.split('/')[0] ?? ''}`, count);
    add(roomOf(path)?.folder ?? 'outside of rooms', count);
  }
  return lines;
}

/** The files that run for a request, and their functions, as the bench finds them: the fewest of three runs, because timers run in some of them. */
async function filesThatRun(): Promise<Figures> {
  const runs = [await countedFiles(), await countedFiles(), await countedFiles()];
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, Math.min(...runs.map((run) => run[name] ?? Infinity))]),
  );
}

/** On a busy machine its task may last too long for the bench. */
async function countedFiles(attempts = 10): Promise<Figures> {
  const rows = await files.run().catch((error: unknown) => {
    if (attempts === 1) throw error;
  });
  if (rows === undefined) return countedFiles(attempts - 1);
  return Object.fromEntries(
    rows.flatMap(({ row, details = [] }) => {
      const name = row.replace(/^files of ours that run for/, '');
      const files: [string, number] = [`${GROUPS.run},${name}`, details.length];
      // Those of a task depend on how far it is when it is asked for.
      if (!name.includes('a plain call')) return [files];
      // A file, and how many of its functions: `x.js (3)`.
      const counts = details.map((each) => Number(/\((\d+)\)$/.exec(each)?.[1]));
      return [
        files,
        [`${GROUPS.functions},${name}`, counts.reduce((sum, count) => sum + count, 0)],
      ];
    }),
  );
}

/** The files of ours that each command loads at its start, and those that it can load later: by their imports. */
async function filesThatLoad(root: string): Promise<Figures> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [PROGRAM],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const commands = importsOf(metafile, COMMANDS, true).filter(isCommand);
  return Object.fromEntries(
    commands.flatMap((path) => {
      const name = path.replace(/^.*\/|\.ts$/g, '');
      const count = (later: boolean): number => reached(metafile, [PROGRAM, path], later).size;
      return [
        [`${GROUPS.start}, ${name}`, count(false)],
        [`${GROUPS.load}, ${name}`, count(true)],
      ];
    }),
  );
}

const PROGRAM = 'cli/bin.ts';
/** The table of commands, which loads one of them. */
const COMMANDS = 'cli/commands.ts';
const isCommand = (path: string): boolean => path.startsWith('cli/commands/');

/** These files, and all that they import, later imports included or not. */
function reached(metafile: Metafile, from: readonly string[], later: boolean): ReadonlySet<string> {
  const found = new Set<string>();
  const rest = [...from];
  for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const imports = importsOf(metafile, path, later);
    rest.push(...imports.filter((each) => path !== COMMANDS || !isCommand(each)));
  }
  return found;
}

function importsOf({ inputs }: Metafile, path: string, later: boolean): string[] {
  return (inputs[path]?.imports ?? [])
    .filter(({ external, kind }) => external !== true && (later || kind !== 'dynamic-import'))
    .map((each) => each.path);
}

/** What a user downloads of each package, and the bundle of the core server, as the bench makes it. */
async function kilobytes(root: string): Promise<Figures> {
  const folder = join(root, 'dist/vendor');
  const bytesOf = (name: RegExp): number =>
    readdirSync(folder)
      .filter((file) => name.test(file))
      .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  const runtime = bytesOf(/^mcp-codegen-runtime-/);
  // The tarball of the tool contains the runtime's, which the published one does not.
  const tool = bytesOf(/^mcp-codegen-\d/) - runtime;
  const [core] = await size.run();
  return {
    [`${GROUPS.size}, mcp-codegen`]: Math.round(tool / 1_000),
    [`${GROUPS.size}, @mcp-codegen/runtime`]: Math.round(runtime / 1_000),
    [`${GROUPS.size}, core server`]: Math.round(parseFloat(core?.ours ?? '')),
  };
}
