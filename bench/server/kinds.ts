/** The servers that are measured. */
export type Kind = 'ours' | 'ours-limited' | 'peer' | 'sdk';

/** What a server's process uses. */
export interface Usage {
  /** Microseconds of processor time so far. */
  readonly cpu: number;
  /** Bytes in use, rubbish included unless it was to be collected first. */
  readonly heap: number;
  readonly aborts: readonly number[];
}
