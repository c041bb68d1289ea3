import { heldBy } from './template.js';
import type { Features, Template } from './template.js';

interface PackageJson {
  name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackageRequest {
  /** The template's own. */
  readonly text: string;
  readonly name: string;
  readonly template: Template;
  readonly features: Features;
  /** Packages that the project's sources import. */
  readonly imported: ReadonlySet<string>;
}

/**
 * The template's `package.json` for one project. Of its dependencies those stay that something
 * imports; of the others those whose features hold.
 */
export function printPackage(request: PackageRequest): string {
  const { text, name, template, features, imported } = request;
  const { dependencies, devDependencies, optionalDependencies, ...rest } = JSON.parse(
    text,
  ) as PackageJson;
  const holdsOf = (conditions: Readonly<Record<string, readonly string[]>>) => {
    const held = heldBy(conditions, features);
    return (each: string): boolean => !(each in conditions) || held.includes(each);
  };
  const holds = holdsOf(template.packages);
  const document = {
    ...rest,
    name,
    scripts: only(rest.scripts, holdsOf(template.scripts)),
    dependencies: only(dependencies, (each) => imported.has(each)),
    optionalDependencies: only(optionalDependencies, holds),
    devDependencies: only(devDependencies, holds),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** `undefined`, which JSON leaves out, when none remain. */
function only(
  packages: Readonly<Record<string, string>> = {},
  keep: (name: string) => boolean,
): object | undefined {
  const kept = Object.entries(packages).filter(([name]) => keep(name));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** A package that a project asks for in another version than its runtime was made for. */
export interface Outdated {
  readonly name: string;
  readonly wanted: string;
  /** None when the project does not ask for it at all. */
  readonly found?: string;
}

/** Of the packages that the runtime imports, those that a project has other versions of. */
export function outdatedPackages(
  templateText: string,
  projectText: string,
  packages: ReadonlySet<string>,
): Outdated[] {
  const wanted = (JSON.parse(templateText) as PackageJson).dependencies ?? {};
  const project = JSON.parse(projectText) as PackageJson;
  return [...packages].flatMap((name) => {
    const version = wanted[name];
    const found = project.dependencies?.[name];
    if (version === undefined || version === found) return [];
    return [{ name, wanted: version, ...(found !== undefined && { found }) }];
  });
}
