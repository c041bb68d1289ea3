import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Empties the lines by which esbuild only keeps the order of side effects between the files of a folder: `import
 * "./shared-X.js";`. No module of the runtime has side effects, Node.js would read files that are not used, and a bundler
 * warns of each such line in a package without side effects.
 */
export function withoutBareImports(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.js')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    // The lines stay, for the source map.
    const without = text.replace(/^import "\.\/[^"]+";$/gm, '');
    if (without !== text) writeFileSync(path, without);
  }
}
