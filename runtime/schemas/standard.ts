/**
 * Standard Schema and Standard JSON Schema (https://standardschema.dev): how schema libraries describe a schema to others.
 * The specification asks libraries to copy these types, so that none needs a package for them.
 */

/** A schema that checks values and describes itself as JSON Schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>;
}

export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: string;
  /** For the compiler only. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
  readonly jsonSchema: JsonSchemaConverter;
}

/** The JSON Schema of the values that a schema takes, and of those that it returns. Throws where there is none. */
export interface JsonSchemaConverter {
  readonly input: (options: ConversionOptions) => Record<string, unknown>;
  readonly output: (options: ConversionOptions) => Record<string, unknown>;
}

export interface ConversionOptions {
  /** `draft-2020-12`, `draft-07`, and what else the library has. */
  readonly target: string;
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** What a check found: the value, perhaps changed, or what is wrong with it. */
export type Checked<Output = unknown> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The issues as one text, each with its place as a JSON pointer below `prefix`. Names at most 20. */
export function issuesText(issues: readonly Issue[], prefix = ''): string {
  const texts = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    const keys = [...(path ?? [])].map((each) =>
      String(typeof each === 'object' ? each.key : each),
    );
    return `${[prefix, ...keys].join('/') || '/'}: ${message}`;
  });
  const more = issues.length - texts.length;
  return texts.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** Arguments come from strangers: a long list may have an issue for each item. */
const MOST_ISSUES = 20;
