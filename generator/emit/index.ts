import type { Protocol } from '../ir/index.js';
import { emitsFor, emitterOf } from './emitters.js';
import type { Emit } from './emitters.js';
import { PROTOCOL_EXPORTS } from './protocol/exports.js';
import type { SourceUnit } from './unit.js';

export { DEFAULT_EMITS, EMITS, emitsFor } from './emitters.js';
export { metamodelOf } from './metamodel/metamodel.js';
export type { Metamodel } from './metamodel/metamodel.js';
export { namedParts } from './parts.js';
export { SUPPORT_FOLDER, supportFor, supportUnits } from './support.js';
export type { Emit } from './emitters.js';
export type { SourceUnit } from './unit.js';

/**
 * The files of one protocol, without headers, by their paths in its folder: those of `emitsFor`. `index.ts`
 * exports the modules that cost nothing to import. The files import the support modules from `../support`.
 */
export async function emitUnits(protocol: Protocol, emits: readonly Emit[]): Promise<SourceUnit[]> {
  const wanted = new Set<Emit>(emitsFor(emits));
  const units: SourceUnit[] = [];
  // Grows: Zod schemas may need the checks.
  for (const name of wanted) {
    const { file, comment, emit } = emitterOf(name);
    const text = await emit(protocol);
    units.push({ path: file, text, ...(comment && { comment }) });
    if (text.includes("from './validators.js'")) wanted.add('validators');
  }
  if (!wanted.has('types')) return units;
  return [...units, { path: 'index.ts', text: indexText(wanted, protocol), comment: '//' }];
}

/**
 * Exports types and tables. Zod schemas and validators have separate imports. When a definition and a
 * table share a name, it exports the definition; the table remains in `protocol.ts`.
 */
function indexText(emits: ReadonlySet<Emit>, { definitions }: Protocol): string {
  const types = "export type * from './types.js';\n";
  if (!emits.has('protocol')) return types;
  const both = definitions.map(({ name }) => name).filter((name) => PROTOCOL_EXPORTS.has(name));
  const meant = both.length > 0 ? `export type { ${both.join(', ')} } from './types.js';\n` : '';
  return `export * from './protocol.js';\n${types}${meant}`;
}
