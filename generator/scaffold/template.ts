/**
 * A template as data. Every chosen value is a *feature*: `--transport http` sets the feature `http`.
 * Files, slots, dependencies and scripts depend on features only, not on options.
 */
export interface Template {
  /** As in `mcp-codegen new <name>`. */
  readonly name: string;
  /** A working project, by its path from the package's root. */
  readonly folder: string;
  /** The text in the template's files that the project's name replaces. */
  readonly placeholder: string;
  readonly options: readonly TemplateOption[];
  /** Choices that exclude each other. */
  readonly exclusions: readonly Exclusion[];
  /** Choices that need others. */
  readonly requirements?: readonly Requirement[];
  /** Features that are set when any of these is set. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** The features that each file needs, by path below the folder. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** The choices under which the template runs as it stands, as flags. */
  readonly own: Readonly<Record<string, string>>;
  /** The places in its files that depend on the choices. */
  readonly slots: readonly Slot[];
  /** Files with another name in the template: variants, and `.gitignore`, which npm does not publish. */
  readonly renamed: Readonly<Record<string, string>>;
  /** The features that each package of `package.json` needs. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** The features that each script of `package.json` needs. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  /** The command that starts the built project. */
  readonly start: string;
  /** Commands to run before `start`, with the features that need them. */
  readonly preparation: Readonly<Record<string, readonly string[]>>;
  /** The environment that `start` needs, as `NAME=value`, with the features that need it. */
  readonly environment: Readonly<Record<string, readonly string[]>>;
}

/** A place in a file of a template whose text depends on the choices. */
export interface Slot {
  /** The file's path below the template's folder. */
  readonly file: string;
  /** The text in a project with these features. The template's file has that of the template's own choices. */
  readonly text: (features: Features) => string;
}

export interface TemplateOption {
  /** Also the name of the flag. */
  readonly name: string;
  readonly describe: string;
  readonly choices: readonly Choice[];
  /** Whether several may be chosen. */
  readonly many: boolean;
  /** Whether none may be chosen, which is written as an empty text. */
  readonly mayBeEmpty?: true;
  /** Of several values, those that do not go together with what was given are left out. */
  readonly default: readonly string[];
  /** The default in the help, where it depends on where the command runs. */
  readonly shownDefault?: string;
  /** Values that are chosen as well when any of these features is, in any option. */
  readonly impliedBy?: Readonly<Record<string, readonly string[]>>;
  /** A flag without a value; it chooses the value with the option's name. */
  readonly isFlag?: true;
  /** The features with which the command prompts for it. Without this, only its flag sets it. */
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
  /** At least one of these has to be chosen too. */
  readonly anyOf: readonly string[];
  /** One sentence. */
  readonly reason: string;
  readonly help: string;
}

/** The key of `package.json` that records the project's template. */
export const MARK = 'mcp-codegen';
/** The file with a server's list of tools. */
export const TOOL_LIST = 'src/tools/index.ts';
/** Where a server's project declares its capabilities. */
export const SERVER_FILE = 'src/server.ts';
/** A server's resources and prompts. */
export const RESOURCES_FILE = 'src/resources.ts';
/** The program; in a minimal project, all of its source. */
export const MAIN_FILE = 'src/main.ts';

/** The chosen values of each option, in the order of the option's choices. */
export type Choices = Readonly<Record<string, readonly string[]>>;

export type Features = ReadonlySet<string>;

export function featuresOf(choices: Choices): Features {
  return new Set(Object.values(choices).flat());
}

/** The first pair of choices that does not go together, and the features that it is about. */
export function clashIn(
  { exclusions, requirements = [] }: Template,
  features: Features,
): Exclusion | undefined {
  const excluded = exclusions.find((each) => each.features.every((it) => features.has(it)));
  if (excluded) return excluded;
  const lacking = requirements.find(
    ({ feature, anyOf }) => features.has(feature) && !anyOf.some((each) => features.has(each)),
  );
  return lacking && { ...lacking, features: [lacking.feature] };
}

/** The chosen features and the groups that they belong to. */
export function featuresIn({ groups = {} }: Template, choices: Choices): Features {
  const features = featuresOf(choices);
  const names = Object.keys(groups).filter((name) =>
    groups[name]?.some((feature) => features.has(feature)),
  );
  return new Set([...features, ...names]);
}

/** Texts of a template by their path from the package's root. */
export type Sources = ReadonlyMap<string, string>;

/** The names whose features are all chosen. */
export function heldBy(
  things: Readonly<Record<string, readonly string[]>>,
  features: Features,
): string[] {
  return Object.entries(things)
    .filter(([, needed]) => needed.every((feature) => features.has(feature)))
    .map(([thing]) => thing);
}

/** The project or tool cannot be made from these options. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';

  constructor(
    message: string,
    readonly help?: string,
  ) {
    super(message);
  }
}
