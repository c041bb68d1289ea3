import { readPackageFolder } from '../generator/read/load/tree.js';
import { withPolicy } from '../pages/index.js';
import type { Assets } from '../pages/index.js';

/** Where `scripts/pages.ts` writes the bundles, which the package contains. */
const FOLDER = 'dist/pages';

/** The style of a page, and its script if it has one. */
export function readAssets(page: 'doctor' | 'explore' | 'report'): Assets {
  const files = readPackageFolder(FOLDER);
  const read = (ending: string): string | undefined => files.get(`${FOLDER}/${page}.${ending}`);
  const script = read('js');
  return withPolicy({ style: read('css') ?? '', ...(script !== undefined && { script }) });
}
