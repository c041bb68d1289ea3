/** An emitted file. */
export interface SourceUnit {
  /** The path below the output folder, with `/`: `2025-11-25/types.ts`. */
  readonly path: string;
  readonly text: string;
  /** What begins a comment line in it. Absent where it cannot have a header. */
  readonly comment?: '//' | '#';
}
