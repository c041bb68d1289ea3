/** What happens in a host that meets what a rule finds. Only evidence that is not a report shows one of the first two. */
export type Effect =
  /** No tool of the server can be used. At least two pieces of evidence that are not reports show it. */
  | 'breaks-all'
  /** The tool is left out, or cannot be called. */
  | 'drops'
  /** The model sees less than the schema says, or the host sends arguments that the schema refuses. */
  | 'misreads'
  /** Others report that some programs refuse it. It need not happen. */
  | 'reported';

/** What shows a rule: documents or source of the host's vendor, a reproduced thread in its tracker, or reports by others. */
export type Grade = 'document' | 'source' | 'tracker' | 'report';

export interface Evidence {
  readonly grade: Grade;
  readonly url: string;
  /** When it was said, or the version that was read was made: YYYY-MM-DD or YYYY-MM. Pages may have none, and code has its commit in the address. */
  readonly dated?: string;
  /** The day on which it was read: YYYY-MM-DD. */
  readonly read: string;
}

/** Which of a tool's schemas a rule is about. Default: its input. */
export type Of = 'input' | 'output' | 'both';

/** What a rule looks for, as data. `checks.ts` has the function of each. */
export type Check =
  /** A tool's name that does not match a regular expression. */
  | { readonly check: 'tool-name'; readonly pattern: string }
  /** A longer name. `prefix` is what the host puts before it beside the name of the server. */
  | { readonly check: 'tool-name-length'; readonly most: number; readonly prefix?: number }
  /** A name that an earlier tool has. */
  | { readonly check: 'double-name' }
  /** A description with more characters. */
  | { readonly check: 'description-length'; readonly most: number }
  /** A description that is given, and empty. */
  | { readonly check: 'empty-description' }
  /** A property of the input whose name does not match. */
  | { readonly check: 'property-name'; readonly pattern: string }
  /** A keyword beside the root's `type`. */
  | { readonly check: 'root-keyword'; readonly names: readonly string[] }
  /** A keyword anywhere in the input. */
  | { readonly check: 'keyword'; readonly names: readonly string[] }
  /** A `$schema` that is given, and names another draft. */
  | { readonly check: 'draft'; readonly accepts: readonly string[]; readonly of: Of }
  /** A schema of an earlier draft that is none in 2020-12. */
  | { readonly check: 'earlier-form' }
  /** A schema that is none by its draft, or refers to nothing; an input that is missing. */
  | { readonly check: 'schema' }
  /** A root that is not `type: object`. */
  | { readonly check: 'root-type'; readonly of: Of }
  | { readonly check: 'reference' }
  /** A property whose schema is `true` or `false`. */
  | { readonly check: 'boolean-schema' }
  /** A name in `required` that is not in `properties`. */
  | { readonly check: 'required-undefined' }
  /** `properties` or `required` beside a type other than object. */
  | { readonly check: 'properties-of-other-type' }
  /** A pattern that an engine does not take: RE2, or the grammars of llama.cpp, which are anchored as well. */
  | { readonly check: 'pattern'; readonly engine: 're2' | 'llama' }
  /** A schema without a type, or with a list of types: anywhere, or as `items`. */
  | { readonly check: 'type'; readonly kind: 'missing' | 'list' | 'list-as-items' }
  | { readonly check: 'array-without-items' }
  /** An input without `properties`. */
  | { readonly check: 'object-without-properties' }
  /** `enum` or `const` with another value. */
  | { readonly check: 'enum-value'; readonly refuses: 'no-string' | 'empty' }
  /** `enum` of an array. */
  | { readonly check: 'enum-of-array' }
  | { readonly check: 'format'; readonly accepts: readonly string[] }
  /** An object that does not say `additionalProperties: false`. */
  | { readonly check: 'open-object' }
  /** A property that is not required. */
  | { readonly check: 'optional-property' }
  /** Levels of objects and arrays. */
  | { readonly check: 'depth'; readonly most: number }
  /** Of all objects together: properties, values of `enum`, characters of names and values, or of one long `enum`. */
  | { readonly check: 'total'; readonly what: Total; readonly most: number };

export type CheckName = Check['check'];
export type Total = 'properties' | 'enum-values' | 'name-characters' | 'enum-characters';

/** One thing that a host refuses or misreads, with what shows it. */
export type Rule = Check & {
  /** Names the rule for `--ignore`, together with the host: `claude/root-keyword`. Default: the check. */
  readonly id?: string;
  /** Versions, fields or models to which it is limited. */
  readonly where?: string;
  readonly effect: Effect;
  /** What the host does, as a sentence without the tool. */
  readonly says: string;
  readonly evidence: readonly [Evidence, ...Evidence[]];
};

export interface Host {
  /** As in `--host`. */
  readonly id: string;
  readonly name: string;
  readonly rules: readonly Rule[];
}
