import type { SourceUnit } from '../emit/index.js';
import { formatTypeScript } from '../format/format.js';
import { tarballOf } from './carried.js';
import { pnpmSettings } from './install-scripts.js';
import { packagesIn } from './modules.js';
import { printPackage } from './package-json.js';
import { specialise, specialiseLines } from './specialise.js';
import { featuresOf, heldBy, withGroups } from './template.js';
import type { Choices, Features, Sources, Template } from './template.js';

export interface ProjectOptions {
  readonly template: Template;
  readonly choices: Choices;
  /** The package's. */
  readonly name: string;
  readonly sources: Sources;
  /** The dependency on the runtime: a range, a path or a URL. */
  readonly runtime: string;
  /** The same for the tool. Without it, the project does not depend on the tool. */
  readonly tool?: string | undefined;
}

/** The files of a project, by paths from its folder. */
export async function projectUnits(options: ProjectOptions): Promise<SourceUnit[]> {
  const { template, choices, name, sources, runtime, tool } = options;
  const features = new Set(withGroups(template, featuresOf(choices)));
  if ([runtime, tool].some((each) => each !== undefined && tarballOf(each) !== undefined)) {
    features.add('vendored');
  }
  const units: SourceUnit[] = [];
  const imported = new Set<string>();
  let manifest = '{}';
  for (const [path, text] of filesOf(template, features, sources)) {
    if (path === 'package.json') {
      manifest = text.replaceAll(template.placeholder, unscoped(name));
      continue;
    }
    const special = withoutVariant(await specialiseFile(path, text, features));
    units.push({
      path: template.renamed[path] ?? withoutVariant(path),
      text: special.replaceAll(template.placeholder, unscoped(name)),
    });
    if (path.startsWith('src/')) packagesIn(special).forEach((each) => imported.add(each));
  }
  const text = printPackage({
    text: manifest,
    name,
    template,
    choices,
    features,
    imported,
    runtime,
    tool,
  });
  return [...units, { path: 'package.json', text }, ...pnpmSettings(features, text)];
}

function filesOf(
  { folder, files, omitted }: Template,
  features: Features,
  sources: Sources,
): [string, string][] {
  const held = heldBy(files, features);
  return [...sources]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, text]): [string, string] => [path.slice(folder.length + 1), text])
    .filter(([path]) => !omitted.includes(path))
    .filter(([path]) => !(path in files) || held.includes(path));
}

async function specialiseFile(path: string, text: string, features: Features): Promise<string> {
  if (/\.[jt]s$/.test(path)) {
    const special = specialise(text, features);
    return special === text ? text : await formatTypeScript(special);
  }
  return path.endsWith('.json') ? text : specialiseLines(text, features);
}

/**
 * `main.minimal.ts` is the `main.ts` of a minimal project, and other files of the template import it by
 * that name.
 */
function withoutVariant(text: string): string {
  return text.replace(/\.minimal(?=(?:\.test)?\.[jt]s\b)/g, '');
}

/** The name without its scope: `@acme/shop` becomes `shop`. */
function unscoped(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
