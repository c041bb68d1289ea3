import { printable } from '../json-schema/text.js';

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly files: string[];
}

const newBranch = (): Branch => ({ folders: new Map(), files: [] });

/** Paths as an indented tree, folders first, each sorted by name. */
export function treeOf(paths: readonly string[]): string {
  const root = newBranch();
  for (const path of paths) {
    const folders = path.split('/');
    const file = folders.pop() ?? '';
    let branch = root;
    for (const name of folders) {
      const below = branch.folders.get(name) ?? newBranch();
      branch.folders.set(name, below);
      branch = below;
    }
    branch.files.push(file);
  }
  return linesOf(root, 1).join('');
}

function linesOf({ folders, files }: Branch, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const sorted = [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...sorted.flatMap(([name, branch]) => [
      `${indent}${printable(name)}/\n`,
      ...linesOf(branch, depth + 1),
    ]),
    ...files.toSorted().map((name) => `${indent}${printable(name)}\n`),
  ];
}
