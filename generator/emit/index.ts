import type { Protocol } from '../ir/index.js';
import { PROTOCOL_EXPORTS } from './protocol/exports.js';
import type { Emit, SourceUnit } from './unit.js';

export { EMITS } from './unit.js';
export { SUPPORT_FOLDER, supportFor, supportUnits } from './support.js';
export type { Emit, SourceUnit } from './unit.js';

/** The text of one file, laid out; each emitter and what it needs is loaded when it is called. */
const EMITTERS: Readonly<Record<Emit, (protocol: Protocol) => Promise<string>>> = {
  types: async (protocol) => await (await import('./types/emit.js')).emitTypes(protocol),
  zod: async (protocol) => (await import('./zod/emit.js')).emitZod(protocol),
  validators: async (protocol) => (await import('./validators/index.js')).emitValidators(protocol),
  protocol: async (protocol) => (await import('./protocol/emit.js')).emitProtocol(protocol),
};

/**
 * The files of one protocol, without a header, paths relative to its folder. All others import
 * `types.ts`, so it always comes; `index.ts` gathers what costs nothing to import. They import the
 * support modules from `../support`.
 */
export async function emitUnits(protocol: Protocol, emits: readonly Emit[]): Promise<SourceUnit[]> {
  const wanted = new Set<Emit>(['types', ...emits]);
  const units: SourceUnit[] = [];
  for (const emit of wanted) {
    units.push({ path: `${emit}.ts`, text: await EMITTERS[emit](protocol) });
  }
  return [...units, { path: 'index.ts', text: indexText(wanted, protocol) }];
}

/**
 * Types and tables; Zod schemas and validators are imports of their own, for those who want them.
 * Of a name that both have, the definition is meant; the table is still in `protocol.ts`.
 */
function indexText(emits: ReadonlySet<Emit>, { definitions }: Protocol): string {
  const types = "export type * from './types.js';\n";
  if (!emits.has('protocol')) return types;
  const both = definitions.map(({ name }) => name).filter((name) => PROTOCOL_EXPORTS.has(name));
  const meant = both.length > 0 ? `export type { ${both.join(', ')} } from './types.js';\n` : '';
  return `export * from './protocol.js';\n${types}${meant}`;
}
