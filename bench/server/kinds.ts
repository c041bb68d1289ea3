/** The measured servers. */
export type Kind =
  | 'ours'
  | 'ours-limited'
  | 'ours-web'
  | 'peer'
  | 'sdk'
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
