/** The measured servers. */
export type Kind = 'ours' | 'ours-limited' | 'peer' | 'sdk' | 'sdk-modern' | 'fastmcp' | 'bare';

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
