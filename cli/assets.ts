import { readPackageFolder } from '../generator/read/load/tree.js';
import { withPolicy } from '../pages/index.js';
import type { Assets } from '../pages/index.js';

/** Where `scripts/pages.ts` writes the bundles, which the package contains. */
const FOLDER = 'dist/pages';

/** The style and the script of a page. */
export function readAssets(page: 'explore' | 'report'): Assets {
  const files = readPackageFolder(FOLDER);
  const read = (ending: string): string => files.get(`${FOLDER}/${page}.${ending}`) ?? '';
  return withPolicy({ style: read('css'), script: read('js') });
}
