import { readPackageFolder } from '../read/load/index.js';
import { joinModules } from '../page/index.js';
import type { Assets } from '../page/index.js';

const SHARED = 'generator/page/style';

/** The style and the script of a page: those of all pages, then those of its folder. `main` is run. */
export function readAssets(folder: string, main: string): Assets {
  const own = readPackageFolder(folder);
  const styles = [readPackageFolder(SHARED), own].flatMap((files) =>
    [...files].filter(([path]) => path.endsWith('.css')).map(([, text]) => text),
  );
  const modules = [...own].map(([path, text]) => [path.slice(folder.length + 1), text] as const);
  return { style: styles.join(''), script: joinModules(new Map(modules), main) };
}
