import { RUNTIME, TOOL } from './carried.js';
import { allowedScripts } from './install-scripts.js';
import { heldBy, MARK, ScaffoldError } from './template.js';
import type { Choices, Features, Template } from './template.js';

interface PackageJson {
  name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackageRequest {
  /** The template's `package.json`. */
  readonly text: string;
  readonly name: string;
  readonly template: Template;
  readonly choices: Choices;
  readonly features: Features;
  /** The version of the runtime, or its `file:` path. */
  readonly runtime: string;
  readonly tool: string | undefined;
}

/**
 * The template's `package.json` for one project. It keeps the dependencies and scripts of these features. The key
 * `mcp-codegen` records the template.
 */
export function printPackage(request: PackageRequest): string {
  const { text, name, template, choices, features, runtime, tool } = request;
  const { dependencies, devDependencies, optionalDependencies, ...rest } = JSON.parse(
    text,
  ) as PackageJson;
  const holdsOf = (conditions: Readonly<Record<string, readonly string[]>>) => {
    const held = heldBy(conditions, features);
    return (each: string): boolean => !(each in conditions) || held.includes(each);
  };
  const holds = holdsOf(template.packages);
  const inDevelopment = { ...devDependencies, ...(tool !== undefined && { [TOOL]: tool }) };
  const document = {
    ...rest,
    name,
    scripts: only(rest.scripts, holdsOf(template.scripts)),
    dependencies: only({ ...dependencies, [RUNTIME]: runtime }, holds),
    optionalDependencies: only(optionalDependencies, holds),
    devDependencies: only(inDevelopment, holds),
    ...allowedScripts(features, Object.keys(inDevelopment).filter(holds)),
    [MARK]: { template: template.name, options: choices },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Sorted; `undefined` when none remain, which JSON leaves out. */
function only(
  packages: Readonly<Record<string, string>> = {},
  keep: (name: string) => boolean,
): object | undefined {
  const kept = Object.entries(packages)
    .filter(([name]) => keep(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** A package whose version in the project does not fit the runtime. */
export interface Outdated {
  readonly name: string;
  readonly wanted: string;
  readonly found: string;
}

/** The dependencies of a template that a project has in other versions. */
export function outdatedPackages(templateText: string, projectText: string): Outdated[] {
  const wanted = (JSON.parse(templateText) as PackageJson).dependencies ?? {};
  const found = (JSON.parse(projectText) as PackageJson).dependencies ?? {};
  return Object.entries(wanted).flatMap(([name, version]) => {
    const has = found[name];
    const differs = name !== RUNTIME && has !== undefined && has !== version;
    return differs ? [{ name, wanted: version, found: has }] : [];
  });
}

/** What a project was made from. */
export interface Made {
  /** The name of the template. */
  readonly template: string;
  /** The dependency on the runtime in `package.json`. */
  readonly runtime: string;
  /** That on the tool, if there is one. */
  readonly tool: string | undefined;
  /** Whether its template depends on the tool. */
  readonly wantsTool: boolean;
}

/** Whether a project depends on the tool. The files of a minimal one do not name it. */
export function wantsTool(choices: Readonly<Record<string, unknown>>): boolean {
  const { minimal } = choices;
  return !(Array.isArray(minimal) && minimal.includes('minimal'));
}

/**
 * What a project was made from.
 *
 * @throws {ScaffoldError} when its `package.json` does not contain them.
 */
export function madeFrom(packageText: string): Made {
  const document = parseObject(packageText);
  const mark = document?.[MARK];
  const dependencies = document?.['dependencies'];
  const inDevelopment = document?.['devDependencies'];
  const template = asObject(mark)?.['template'];
  const runtime = asObject(dependencies)?.[RUNTIME];
  const { [TOOL]: tool } = { ...asObject(dependencies), ...asObject(inDevelopment) };
  if (typeof template === 'string' && typeof runtime === 'string') {
    return {
      ...{ template, runtime, tool: typeof tool === 'string' ? tool : undefined },
      wantsTool: wantsTool(asObject(asObject(mark)?.['options']) ?? {}),
    };
  }
  throw new ScaffoldError(
    typeof template === 'string'
      ? `package.json does not depend on ${RUNTIME}.`
      : `package.json has no entry "${MARK}" with a template.`,
    'Run this in a project of mcp-codegen new.',
  );
}

/** A `package.json` with another version of a dependency. The rest stays unchanged. */
export function withDependency(
  text: string,
  name: string,
  from: string | undefined,
  to: string,
): string {
  if (from === undefined) return withNewDependency(text, name, to);
  const entry = (specifier: string): string => JSON.stringify(specifier);
  const pattern = new RegExp(`("${escapeRegExp(name)}"\\s*:\\s*)${escapeRegExp(entry(from))}`);
  return text.replace(pattern, (_, key: string) => key + entry(to));
}

/** Adds it to the dependencies of development, with the indentation of the text. */
function withNewDependency(text: string, name: string, specifier: string): string {
  const before = JSON.parse(text) as PackageJson;
  const [, indent] = /^\{\s*?\n([ \t]+)/.exec(text) ?? [];
  const devDependencies = only({ ...before.devDependencies, [name]: specifier }, () => true);
  const document = { ...before, devDependencies };
  return JSON.stringify(document, null, indent) + (text.endsWith('\n') ? '\n' : '');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
