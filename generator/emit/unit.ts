/** A file to be written: everything an emitter has to say about it. */
export interface SourceUnit {
  /** Below the output folder, with `/`: `2025-11-25/types.ts`. */
  readonly path: string;
  readonly text: string;
}

/** What can be emitted for a protocol; each is one file of that name. `index` comes on its own. */
export const EMITS = ['types', 'zod', 'validators', 'protocol'] as const;
export type Emit = (typeof EMITS)[number];
