/** Limits on a document, because schemas are untrusted. */
export interface Limits {
  /** Bytes of the text. */
  readonly bytes: number;
  /** Levels of objects and arrays. */
  readonly depth: number;
  readonly definitions: number;
  /** Milliseconds to wait for a URL. */
  readonly timeout: number;
}

/** About ten times what the largest MCP schema needs, and twice what the largest of the schemas of packages do. */
export const DEFAULT_LIMITS: Limits = {
  bytes: 16 * 1024 * 1024,
  depth: 100,
  definitions: 5_000,
  timeout: 10_000,
};
