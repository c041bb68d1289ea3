import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../generator/read/load/index.js';

/** The text of a generated file as it compiles two folders below the root: with the support modules where their sources are. */
export function besideSources(text: string): string {
  return text.replace(/'\.\.\/support\/([\w-]+)\.js'/g, (_, name: string) => {
    const isPortable = existsSync(join(packageRoot(), 'json-schema/portable', `${name}.ts`));
    return `'../../${isPortable ? 'json-schema/portable' : 'generator/emit/support'}/${name}.js'`;
  });
}
