/** A client that asks for a session of 2025-11-25 gets this one. */
export const TMCP_SESSION = 'tmcp, 2025-06-18';

/** The measured servers. */
export type Kind =
  | 'ours'
  | 'ours-limited'
  | 'ours-web'
  | 'peer'
  | 'sdk'
  | 'sdk-streams'
  | 'sdk-modern'
  | 'tmcp'
  | 'fastmcp'
  | 'bare'
  | 'bare-web';

/** The resource usage of a server's process. */
export interface Usage {
  /** Microseconds of processor time so far. */
  readonly cpu: number;
  /** Bytes in use, including garbage unless a collection was requested. */
  readonly heap: number;
  /** Bytes of memory that the process has. */
  readonly rss: number;
  readonly aborts: readonly number[];
}
