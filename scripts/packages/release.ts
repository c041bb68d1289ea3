/**
 * `npm run release:publish` publishes each package whose version the registry does not have. Its options are those of
 * `npm publish`: `--dry-run`, `--provenance=false`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../npm.js';
import { ROOT } from './entries.js';
import { packInto } from './stage.js';

/** Each package after those that it depends on. */
const PACKAGES = ['runtime', '.', 'create'];

const folder = join(ROOT, '.cache/release');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const root of PACKAGES) publish(root, process.argv.slice(2));

function publish(root: string, options: readonly string[]): void {
  // Without the tarballs that a build from a clone carries: projects of a published tool use published packages.
  const isCarried = (path: string): boolean => path.startsWith('dist/vendor/');
  const { name, version, fileName } = packInto(folder, join(ROOT, root), isCarried);
  if (isPublished(`${name}@${version}`)) {
    console.log(`${name}@${version} is published already`);
    return;
  }
  npm(['publish', join(folder, fileName), ...options], { cwd: ROOT, stdio: 'inherit' });
}

/** @throws when the registry does not answer. */
function isPublished(specifier: string): boolean {
  try {
    const found = npm(['view', specifier, 'version', '--json'], { cwd: ROOT, stdio: 'pipe' });
    return found.trim() !== '';
  } catch (error) {
    if (String((error as { stdout?: Buffer }).stdout).includes('E404')) return false;
    throw error;
  }
}
