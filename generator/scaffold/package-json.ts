import type { Features, Template } from './template.js';

interface PackageJson {
  name: string;
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
  const holds = (each: string): boolean =>
    (template.packages[each] ?? []).every((feature) => features.has(feature));
  const document = {
    ...rest,
    name,
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
