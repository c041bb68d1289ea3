/** What happens in a host that meets what a rule finds. */
export type Effect =
  /** No tool of the server can be used: the host's request for all of them is refused. */
  | 'breaks-all'
  /** The tool is left out, or cannot be called. */
  | 'drops'
  /** The model sees less than the schema says, or the host sends arguments that the schema refuses. */
  | 'misreads';

/** Which of a tool's schemas a rule is about. Default: its input. */
export type Of = 'input' | 'output' | 'both';

/** What a rule looks for, as data. `checks.ts` has the function of each. */
export type Check =
  /** A tool's name that does not match a regular expression. */
  | { readonly check: 'tool-name'; readonly pattern: string }
  /** A longer name. `prefix` is what the host puts before it beside the name of the server. */
  | { readonly check: 'tool-name-length'; readonly most: number; readonly prefix?: number }
  | { readonly check: 'tool-count'; readonly most: number }
  /** A description with more characters. */
  | { readonly check: 'description-length'; readonly most: number }
  /** A property of the input whose name does not match. */
  | { readonly check: 'property-name'; readonly pattern: string }
  /** A keyword beside the root's `type`. */
  | { readonly check: 'root-keyword'; readonly names: readonly string[]; readonly of?: Of }
  /** A keyword anywhere. */
  | { readonly check: 'keyword'; readonly names: readonly string[]; readonly of?: Of }
  /** A `$schema` that names another draft. */
  | { readonly check: 'draft'; readonly accepts: readonly string[]; readonly of: Of }
  /** A keyword in the form of an earlier draft, such as `exclusiveMinimum: true`. */
  | { readonly check: 'earlier-form'; readonly of?: Of }
  /** A schema that is none by its draft, or refers to nothing; an input that is missing. */
  | { readonly check: 'schema'; readonly of: Of }
  /** A root that is not `type: object`. */
  | { readonly check: 'root-type'; readonly of: Of }
  | { readonly check: 'reference' }
  /** A schema without a type, or with a list of types. */
  | { readonly check: 'type'; readonly kind: 'missing' | 'list' }
  | { readonly check: 'array-without-items' }
  /** An input without `properties`. */
  | { readonly check: 'object-without-properties' }
  /** `enum` or `const` with a value of another type. */
  | { readonly check: 'enum-type'; readonly accepts: readonly string[] }
  | { readonly check: 'format'; readonly accepts: readonly string[] }
  /** An object that does not say `additionalProperties: false`. */
  | { readonly check: 'open-object' }
  /** A property that is not required. */
  | { readonly check: 'optional-property' }
  /** Levels of objects and arrays. */
  | { readonly check: 'depth'; readonly most: number }
  /** Properties of all objects together. */
  | { readonly check: 'property-count'; readonly most: number }
  | { readonly check: 'enum-count'; readonly most: number };

export type CheckName = Check['check'];

/** One thing that a host refuses or misreads, with what shows it. */
export type Rule = Check & {
  /** Names the rule for `--ignore`, together with the host: `claude/root-keyword`. Default: the check. */
  readonly id?: string;
  readonly effect: Effect;
  /** What the host does, as a sentence without the tool. */
  readonly says: string;
  /** The document or thread that shows it. */
  readonly source: string;
  /** The day on which the source was read: YYYY-MM-DD. */
  readonly read: string;
};

export interface Host {
  /** As in `--host`. */
  readonly id: string;
  readonly name: string;
  readonly rules: readonly Rule[];
}
