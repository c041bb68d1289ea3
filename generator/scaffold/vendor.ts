import { dirname, join, normalize, relative } from 'node:path/posix';
import { ts } from 'ts-morph';
import { applyEdits, cutLines, cutMember, parse } from './edit.js';
import type { Edit, Source } from './edit.js';
import { demandsOf, isBarrel, isRelative, nameThere, packagesOf } from './modules.js';
import type { Demand } from './modules.js';

export interface VendorRequest {
  /** Where it begins: everything that this module exports is wanted. */
  readonly entry: string;
  /** The text of a module, by its path from the package's root; nothing when there is none. */
  readonly read: (path: string) => string | undefined;
  /** Where a module comes to lie in the project. */
  readonly place: (path: string) => string;
}

export interface Module {
  /** In the project. */
  readonly path: string;
  /** In the package. */
  readonly from: string;
  readonly text: string;
  /** What it imports, by name. */
  readonly packages: readonly string[];
}

/**
 * All modules that one needs, moved into a project, in the order of their paths. Modules that only
 * pass on what others export pass on what is asked for, so that what nobody asks for stays behind.
 *
 * @throws for an import of something that is not there.
 */
export function vendor(request: VendorRequest): Module[] {
  const wanted = reach(request);
  return [...wanted]
    .map(([path, each]) => move(path, each, request))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Wanted {
  readonly source: Source;
  readonly barrel: boolean;
  readonly demands: readonly Demand[];
  names: Set<string> | 'all';
}

function reach({ entry, read }: VendorRequest): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (path: string, names: Demand['names'], by: string): void => {
    const known = wanted.get(path) ?? opened(path, by, read);
    const first = !wanted.has(path);
    wanted.set(path, known);
    const more = add(known, names);
    if (!first && !(known.barrel && more)) return;
    for (const { specifier, names: asked } of known.demands) {
      if (!isRelative(specifier.text)) continue;
      const passed = known.barrel ? passedOn(specifier, known.names) : asked;
      if (passed.length > 0) want(resolve(path, specifier.text), passed, path);
    }
  };
  want(entry, 'all', entry);
  return wanted;
}

function opened(path: string, by: string, read: VendorRequest['read']): Wanted {
  const text = read(path);
  if (text === undefined) throw new Error(`${by} imports ${path}, which is not there`);
  const source = parse(text);
  return { source, barrel: isBarrel(source), demands: demandsOf(source), names: new Set() };
}

/** Whether that is more than was wanted before. */
function add(wanted: Wanted, names: Demand['names']): boolean {
  if (wanted.names === 'all') return false;
  if (names === 'all') {
    wanted.names = 'all';
    return true;
  }
  const before = wanted.names.size;
  for (const name of names) wanted.names.add(name);
  return wanted.names.size > before;
}

/** What a barrel's statement wants of its module, given what the barrel is wanted for. */
function passedOn(specifier: ts.StringLiteral, names: Wanted['names']): Demand['names'] {
  const { exportClause } = specifier.parent as ts.ExportDeclaration;
  if (!exportClause) return names === 'all' ? 'all' : [...names];
  if (!ts.isNamedExports(exportClause)) return 'all';
  return exportClause.elements
    .filter(({ name }) => names === 'all' || names.has(name.text))
    .map(nameThere);
}

function move(
  path: string,
  { source, barrel, names, demands }: Wanted,
  { place }: VendorRequest,
): Module {
  const dropped = barrel && names !== 'all' ? dropUnwanted(source, names) : [];
  const target = place(path);
  const kept = demands.filter(({ specifier }) => !isWithin(specifier, dropped));
  const moved = kept
    .filter(({ specifier }) => isRelative(specifier.text))
    .map(({ specifier }) => respecify(specifier, target, place(resolve(path, specifier.text))))
    .filter(({ start, end, text }) => source.text.slice(start, end) !== text);
  return {
    path: target,
    from: path,
    text: applyEdits(source.text, [...moved, ...dropped]),
    packages: packagesOf(kept),
  };
}

function respecify(specifier: ts.StringLiteral, from: string, to: string): Edit {
  const way = relative(dirname(from), to).replace(/\.ts$/, '.js');
  const text = `'${way.startsWith('.') ? way : `./${way}`}'`;
  return { start: specifier.getStart(), end: specifier.end, text };
}

/** Exports of a barrel that nobody asks for. */
function dropUnwanted(source: Source, names: ReadonlySet<string>): Edit[] {
  return source.statements.flatMap((each): Edit[] => {
    const clause = ts.isExportDeclaration(each) ? each.exportClause : undefined;
    if (!clause || !ts.isNamedExports(clause)) return [];
    const unwanted = clause.elements.filter(({ name }) => !names.has(name.text));
    if (unwanted.length === clause.elements.length) return [cutLines(source, each)];
    return unwanted.map((it) => cutMember(source, it));
  });
}

function isWithin(node: ts.Node, edits: readonly Edit[]): boolean {
  return edits.some(({ start, end }) => start <= node.pos && node.end <= end);
}

/** `./x.js`, as the compiler resolves it: to the source. */
function resolve(from: string, specifier: string): string {
  return normalize(join(dirname(from), specifier)).replace(/\.js$/, '.ts');
}
