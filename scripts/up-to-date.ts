import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Everything that the packages are made from. */
const INPUTS = [
  ...['cli', 'contracts', 'docs', 'generated', 'generator', 'json-schema', 'pages', 'runtime'],
  ...['schema', 'templates'],
  ...['build', 'bundle-cli', 'bundle-playground', 'child', 'npm', 'pages', 'string-length'].map(
    (name) => `scripts/${name}.ts`,
  ),
  ...['scripts/packages', 'scripts/without-prettier.ts'],
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'package-lock.json'],
  ...['tsconfig.json', 'tsconfig.build.json', 'tsconfig.contracts.json', 'tsconfig.paths.json'],
];

/** What the build writes. The compilers' own records change when others run the compilers. */
export const OUTPUTS = [
  ...[
    'dist/cli',
    'dist/contracts/lint/index.js',
    'dist/generator/index.js',
    'dist/generator.sha256',
  ],
  'dist/json-schema/index.js',
  ...['dist/pages', 'dist/playground.html', 'dist/vendor'],
  ...['dist/generator.tsbuildinfo', 'runtime/dist/generated.tsbuildinfo'],
  ...['runtime/dist/runtime.tsbuildinfo', 'runtime/dist/modules', 'runtime/dist/pages'],
];

/** Not in `dist/`, which is part of the package. */
const STAMP = join(ROOT, '.cache/build.sha256');

/** A hash of what the build reads. Call it before the build, because files may change meanwhile. */
export function hashOfInputs(): string | undefined {
  return hashOf(INPUTS);
}

/** Whether nothing changed since the last build: neither what it read nor what it wrote. */
export function isUpToDate(inputs: string | undefined): boolean {
  if (inputs === undefined || !existsSync(STAMP)) return false;
  return readFileSync(STAMP, 'utf8') === stampOf(inputs);
}

/** Call it after a build of these inputs. */
export function markUpToDate(inputs: string | undefined): void {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, stampOf(inputs));
}

const stampOf = (inputs: string | undefined): string =>
  JSON.stringify({ inputs, outputs: hashOf(OUTPUTS) });

/** A hash of the paths and contents of these files and folders. Undefined while one is missing. */
function hashOf(paths: readonly string[]): string | undefined {
  if (!paths.every((path) => existsSync(join(ROOT, path)))) return undefined;
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf)) {
    const bytes = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length))
    .filter((file) => OUTPUTS.includes(path) || !/\/(?:dist|node_modules)\//.test(file))
    .sort();
}
