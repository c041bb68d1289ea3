/** A regular expression without back-references, as the support module `pattern` runs it. */
export type Part =
  /** One character of the set with this index. */
  | number
  /** The start and the end of the text, a boundary of a word, and none. */
  | '^'
  | '$'
  | 'b'
  | 'B'
  /** One after the other. */
  | readonly Part[]
  | { readonly or: readonly Part[] }
  /** Repeated; without `max`, without a limit. */
  | { readonly part: Part; readonly min: number; readonly max?: number }
  /** What comes next, or came before, matches; with `not`, it does not. */
  | { readonly ahead: Part; readonly not?: true }
  | { readonly behind: Part; readonly not?: true };

/** The parts of a pattern, and its sets of characters, each as the source of a regular expression. */
export interface Program {
  readonly sets: readonly string[];
  readonly part: Part;
}
