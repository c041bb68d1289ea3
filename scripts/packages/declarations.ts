import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The declaration files that a package's entries lead to. The compiler also writes those of modules that are bundled. */
export function declarationsOf(root: string): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports?: unknown;
  };
  const found = new Set<string>();
  const rest = pathsIn(manifest.exports).filter((path) => path.endsWith('.d.ts'));
  for (let file = rest.pop(); file !== undefined; file = rest.pop()) {
    const path = join(root, file);
    if (found.has(path) || !existsSync(path)) continue;
    found.add(path);
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORTS)) {
      rest.push(join(dirname(file), specifier.replace(/\.js$/, '.d.ts')));
    }
  }
  return found;
}

/** Relative imports: `from './x.js'`, `import './x.js'` and `import('./x.js')`. */
const IMPORTS = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(value ?? {}).flatMap(pathsIn);
}
