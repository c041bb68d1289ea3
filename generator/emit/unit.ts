/** An emitted file. */
export interface SourceUnit {
  /** The path below the output folder, with `/`: `2025-11-25/types.ts`. */
  readonly path: string;
  readonly text: string;
}

/** The files that can be emitted for a protocol, by name. `index` is always emitted. */
export const EMITS = ['types', 'zod', 'validators', 'protocol', 'metamodel'] as const;
/** Those that are emitted unless others are named. */
export const DEFAULT_EMITS = ['types', 'zod', 'validators', 'protocol'] as const;
export type Emit = (typeof EMITS)[number];

/** The wanted kinds in order. `types` is always one, because all modules import it; JSON needs no module. */
export function emitsFor(asked: readonly Emit[]): Emit[] {
  const onlyData = asked.length > 0 && asked.every((emit) => emit === 'metamodel');
  return EMITS.filter((emit) => asked.includes(emit) || (emit === 'types' && !onlyData));
}
