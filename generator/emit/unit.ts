/** An emitted file. */
export interface SourceUnit {
  /** The path below the output folder, with `/`: `2025-11-25/types.ts`. */
  readonly path: string;
  readonly text: string;
}

/** The files that can be emitted for a protocol, by name. `index` is always emitted. */
export const EMITS = ['types', 'zod', 'validators', 'protocol'] as const;
export type Emit = (typeof EMITS)[number];
