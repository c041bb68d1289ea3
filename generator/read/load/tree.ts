import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './source.js';

/** Folders that are not part of the package. */
const SKIPPED = ['node_modules', 'dist'];

/** The texts of a folder of the package, by their path from its root: `runtime/tasks/index.ts`. */
export function readPackageFolder(folder: string): Map<string, string> {
  const texts = new Map<string, string>();
  const root = join(packageRoot(), folder);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .replaceAll('\\', '/');
    if (path.split('/').some((segment) => SKIPPED.includes(segment))) continue;
    texts.set(`${folder}/${path}`, readFileSync(join(root, path), 'utf8'));
  }
  return texts;
}

/** The second has what `json-schema` itself runs too. */
const SUPPORT_SOURCES = ['generator/emit/support', 'json-schema/portable'];

/** The texts of the modules that generated files share, by name: `check.ts`. */
export function readSupport(): Map<string, string> {
  const modules = SUPPORT_SOURCES.flatMap((folder) =>
    [...readPackageFolder(folder)].map(
      ([path, text]) => [path.slice(folder.length + 1), text] as const,
    ),
  );
  return new Map(modules.filter(([path]) => path.endsWith('.ts')));
}
