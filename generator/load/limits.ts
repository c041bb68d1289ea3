/** What a document may weigh before it is refused: schemas come from strangers. */
export interface Limits {
  /** Of the text, in bytes. */
  readonly bytes: number;
  /** Of objects and arrays inside each other. */
  readonly depth: number;
  readonly definitions: number;
  /** To wait for a URL, in milliseconds. */
  readonly timeout: number;
}

/** About ten times what the largest MCP schema needs. */
export const DEFAULT_LIMITS: Limits = {
  bytes: 16 * 1024 * 1024,
  depth: 100,
  definitions: 2_000,
  timeout: 10_000,
};
