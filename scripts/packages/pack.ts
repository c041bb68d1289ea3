/**
 * Packs the built runtime and then the tool into `dist/vendor/` for `new` and `update` of a build from a clone.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './entries.js';
import { packInto } from './stage.js';

const folder = join(ROOT, 'dist/vendor');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
packInto(folder, join(ROOT, 'runtime'));
// The tool's tarball contains the runtime's, so that projects can be updated, but not itself.
packInto(folder, ROOT);
