import type { Draft } from '../../json-schema/index.js';
import type { Party, Severity } from '../../contracts/validate/index.js';

/** The id of the element that contains the engine, which the page's script makes a worker of. */
export const ENGINE_ID = 'engine';

/** What the page asks the engine. All texts are a stranger's. */
export type Question = MessagesQuestion | SchemaQuestion | ValueQuestion;

/** As `mcp-codegen validate`: a message or a recording. */
export interface MessagesQuestion {
  readonly kind: 'messages';
  readonly text: string;
  /** The revision of all messages. Default: the one that they contain. */
  readonly revision?: string | undefined;
  /** The name of an active extension. Default: those that messages declare. */
  readonly extension?: string | undefined;
  /** The sender of messages without a tag. */
  readonly from?: Party | undefined;
}

/** As `mcp-codegen generate`: a JSON Schema, as JSON or YAML. */
export interface SchemaQuestion {
  readonly kind: 'schema';
  readonly text: string;
  /** What a schema without `$schema` is read as. */
  readonly draft?: Draft | undefined;
}

/** Whether a value matches a definition of a schema. */
export interface ValueQuestion extends Omit<SchemaQuestion, 'kind'> {
  readonly kind: 'value';
  /** JSON. */
  readonly value: string;
  /** Default: the whole schema, else its first definition. */
  readonly definition?: string | undefined;
}

export interface MessagesAnswer {
  /**
   * That of the worst finding; `valid` without one and with warnings alone, as the exit code of `validate`. `none` for a
   * text without messages, of which nothing is valid.
   */
  readonly verdict: 'valid' | 'unclear' | 'invalid' | 'none';
  /** The first findings, as `validate` prints them. */
  readonly findings: readonly { readonly severity: Severity; readonly text: string }[];
  /** The counts of each method and of all messages, and how many findings are left out. */
  readonly summary: string;
  /** The page of `validate --report`. */
  readonly report: string;
}

export interface SchemaAnswer {
  /** What is wrong with the schema, as `generate` prints it. */
  readonly problems: string;
  /** Without headers; none when the schema cannot be read at all. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly definitions: readonly string[];
}

export interface ValueAnswer {
  /** What is wrong with the schema, or with the text of the value. */
  readonly problems: string;
  /** What was checked; absent when that cannot be read. */
  readonly checked?: {
    readonly definition: string;
    /** The first reason against the value, and the JSON pointer to its place; absent for a valid value. */
    readonly refusal?: { readonly pointer: string; readonly reason: string };
  };
}

export interface Answers {
  readonly messages: MessagesAnswer;
  readonly schema: SchemaAnswer;
  readonly value: ValueAnswer;
}
