/**
 * `npm run revisions` writes the modules and lists that follow from `schema/revisions.json`, so that no other
 * file names a revision. With `--check` it only lists those that are out of date (exit code 4).
 */
import { fileURLToPath } from 'node:url';
import { staleModules, writeModules } from './write.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

if (process.argv.includes('--check')) {
  const stale = await staleModules(ROOT);
  if (stale.length > 0) {
    console.error(`Out of date: ${stale.join(', ')}. Run npm run revisions and read what changes.`);
    process.exitCode = 4;
  }
} else {
  await writeModules(ROOT);
}
