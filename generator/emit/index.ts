import type { Protocol } from '../ir/index.js';
import { metamodelOf, printMetamodel } from './metamodel/metamodel.js';
import { PROTOCOL_EXPORTS } from './protocol/exports.js';
import { emitsFor } from './unit.js';
import type { Emit, SourceUnit } from './unit.js';

export { DEFAULT_EMITS, EMITS, emitsFor } from './unit.js';
export { metamodelOf, METAMODEL_VERSION } from './metamodel/metamodel.js';
export type { Metamodel } from './metamodel/metamodel.js';
export { SUPPORT_FOLDER, supportFor, supportUnits } from './support.js';
export type { Emit, SourceUnit } from './unit.js';

/** The formatted text of one file. Each emitter is loaded when it is called. */
const EMITTERS: Readonly<Record<Emit, (protocol: Protocol) => Promise<string>>> = {
  types: async (protocol) => await (await import('./types/emit-types.js')).emitTypes(protocol),
  zod: async (protocol) => (await import('./zod/emit-zod.js')).emitZod(protocol),
  validators: async (protocol) => (await import('./validators/index.js')).emitValidators(protocol),
  protocol: async (protocol) =>
    (await import('./protocol/emit-protocol.js')).emitProtocol(metamodelOf(protocol)),
  metamodel: (protocol) => Promise.resolve(printMetamodel(metamodelOf(protocol))),
};

/**
 * The files of one protocol, without headers, by their paths in its folder: those of `emitsFor`. `index.ts` exports the modules that cost nothing to import. The
 * files import the support modules from `../support`.
 */
export async function emitUnits(protocol: Protocol, emits: readonly Emit[]): Promise<SourceUnit[]> {
  const wanted = new Set<Emit>(emitsFor(emits));
  const units: SourceUnit[] = [];
  // Grows: Zod schemas may need the checks.
  for (const emit of wanted) {
    const text = await EMITTERS[emit](protocol);
    units.push({ path: emit === 'metamodel' ? 'metamodel.json' : `${emit}.ts`, text });
    if (text.includes("from './validators.js'")) wanted.add('validators');
  }
  if (!wanted.has('types')) return units;
  return [...units, { path: 'index.ts', text: indexText(wanted, protocol) }];
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
