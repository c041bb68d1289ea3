import type { Direction, Witness } from './compat/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import type { ListName } from './model.js';

/**
 * - `breaking`: a program that was written for the lock fails.
 * - `unclear`: it may fail or get something else; `reason` says why that cannot be decided.
 * - `text`: what models and users read, or hosts decide by: no program fails, and a model may do something else.
 * - `compatible`: none of these.
 */
export const VERDICTS = ['breaking', 'unclear', 'text', 'compatible'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What can change. The names are the ids of the rules in SARIF, so they never change their meaning. */
export const RULES = {
  removed: 'A tool, prompt, resource or template is gone.',
  added: 'A tool, prompt, resource or template is new.',
  input: 'The server accepts other arguments.',
  output: 'A tool returns something else.',
  default: 'An argument that is left out has another default.',
  'task-support': 'A tool runs as a task, or does so no longer.',
  hint: 'A tool says something else about its effects, by which hosts decide what runs without a question.',
  text: 'A text that models or users read is new, gone or another one.',
  notation: 'A schema is written in another way, and accepts the same values.',
  'media-type': 'A resource has another media type.',
  fact: 'The server says something else about itself or a resource, such as its version or a size.',
  capability: 'The server declares other capabilities.',
  client: 'The server was asked by a client with other capabilities.',
  revision: 'The server speaks another revision of the protocol.',
} as const;
export type Rule = keyof typeof RULES;

export type Part = ListName | 'server' | 'instructions' | 'capabilities' | 'revision' | 'client';

/** What a new text asks for or leads to that its reader should look at. It is a hint: other words can say the same. */
export interface Introduced {
  readonly what: string;
  /** As the text has it. */
  readonly text: string;
}

/** One change between two locks. All texts of the server in it are a stranger's. */
export interface Change {
  readonly verdict: Verdict;
  readonly rule: Rule;
  readonly part: Part;
  /** The name, URI or URI template of the entry. */
  readonly name?: string;
  /** The nearest place in the lock before, as a JSON pointer. */
  readonly pointer: string;
  /** The key, or the place in a schema: `description`, `city.name`. */
  readonly path?: string;
  readonly direction?: Direction;
  /** What changed: a clause. */
  readonly message: string;
  /** Why there is no witness, or why the verdict is unclear: a clause. */
  readonly reason?: string;
  /** Absent where there was no such value, and for schemas. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** For a breaking change of a schema. */
  readonly witness?: Witness;
  /** Hints at what a new text asks for or leads to. */
  readonly introduces?: readonly Introduced[];
  /** Generated values that were accepted, for a compatible change of a schema. */
  readonly tried?: number;
}

/** The part of a change that its place in the locks decides. */
export type At = Pick<Change, 'part' | 'name' | 'pointer'>;
