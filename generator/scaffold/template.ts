/**
 * What a project can be made from, as data. Every value that is chosen for an option is a *feature*:
 * `--transport http` makes the feature `http` hold. Files and dependencies, and `@when` and
 * `feature.x` in the template's sources, ask for features and know no options.
 */
export interface Template {
  /** As in `mcp-codegen new <name>`. */
  readonly name: string;
  /** From the package's root; a project that runs as it stands. */
  readonly folder: string;
  /** Stands for the project's name wherever it occurs in the template's files. */
  readonly placeholder: string;
  readonly options: readonly TemplateOption[];
  /** Choices that make no sense together. */
  readonly exclusions: readonly Exclusion[];
  /** Choices that make sense only beside others. */
  readonly requirements?: readonly Requirement[];
  /** Features that hold when any of these holds. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Files that come only with all of these features, by path below the folder. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** Files of the template that no project gets. */
  readonly omitted: readonly string[];
  /** Files under another name than in the template: npm would not publish `.gitignore`. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Packages that come with these features, whether the project's own code imports them or not. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** Scripts of its `package.json` that come only with all of these features. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  /** The command that starts it once it is built. */
  readonly start: string;
  /** What that needs in its environment to begin with: `NAME=value`. */
  readonly environment: Readonly<Record<string, readonly string[]>>;
}

export interface TemplateOption {
  /** Also the name of the flag. */
  readonly name: string;
  readonly describe: string;
  readonly choices: readonly Choice[];
  /** Whether several may be chosen. */
  readonly many: boolean;
  readonly default: readonly string[];
  /** Chosen whether one wants it or not. */
  readonly always: readonly string[];
  /** A flag without a value: the option's name is the choice that it makes. */
  readonly isFlag?: true;
  /** Whether to ask people for it, given these features; otherwise only its flag decides. */
  readonly askedWith?: readonly string[];
}

export interface Choice {
  readonly value: string;
  readonly describe: string;
}

export interface Exclusion {
  readonly features: readonly string[];
  /** One sentence. */
  readonly reason: string;
  readonly help: string;
}

export interface Requirement {
  readonly feature: string;
  /** One of these has to be chosen, too. */
  readonly anyOf: readonly string[];
  /** One sentence. */
  readonly reason: string;
  readonly help: string;
}

/** The key of a project's `package.json` that says what the project was made from. */
export const MARK = 'mcp-codegen';
/** Where a server lists its tools. */
export const TOOL_LIST = 'src/tools/index.ts';

/** What was chosen for each option, in the order of the option's choices. */
export type Choices = Readonly<Record<string, readonly string[]>>;

export type Features = ReadonlySet<string>;

export function featuresOf(choices: Choices): Features {
  return new Set(Object.values(choices).flat());
}

/** The chosen features and the groups that they belong to. */
export function withGroups({ groups = {} }: Template, features: Features): Features {
  const names = Object.keys(groups).filter((name) =>
    groups[name]?.some((feature) => features.has(feature)),
  );
  return new Set([...features, ...names]);
}

/** Texts of a template by their path from the package's root. */
export type Sources = ReadonlyMap<string, string>;

/** Of things that come with features, those that come with these. */
export function heldBy(
  things: Readonly<Record<string, readonly string[]>>,
  features: Features,
): string[] {
  return Object.entries(things)
    .filter(([, needed]) => needed.every((feature) => features.has(feature)))
    .map(([thing]) => thing);
}

/** What the caller asks for cannot be made. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';

  constructor(
    message: string,
    readonly help?: string,
  ) {
    super(message);
  }
}
