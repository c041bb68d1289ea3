import type { Protocol } from '../ir/index.js';
import { metamodelOf, printMetamodel } from './metamodel/metamodel.js';

/** What writes one file of a protocol. */
export interface Emitter {
  /** The file's name in the folder of its protocol. */
  readonly file: string;
  /** What begins a comment line in it. Absent where the file cannot have comments: it gets no header. */
  readonly comment?: '//' | '#';
  /** Whether the file imports `types.ts`, which is then emitted too. */
  readonly needsTypes?: true;
  /** Whether it is emitted only when it is asked for. */
  readonly onRequest?: true;
  /** The formatted text, without a header. */
  readonly emit: (protocol: Protocol) => Promise<string>;
}

/** All emitters by the names that `--emit` takes, in the order of their files. Each is loaded when it is called. */
const EMITTERS = {
  types: {
    file: 'types.ts',
    comment: '//',
    emit: async (protocol: Protocol) =>
      await (await import('./types/emit-types.js')).emitTypes(protocol),
  },
  zod: {
    file: 'zod.ts',
    comment: '//',
    needsTypes: true,
    emit: async (protocol: Protocol) => (await import('./zod/emit-zod.js')).emitZod(protocol),
  },
  validators: {
    file: 'validators.ts',
    comment: '//',
    needsTypes: true,
    emit: async (protocol: Protocol) =>
      (await import('./validators/index.js')).emitValidators(protocol),
  },
  protocol: {
    file: 'protocol.ts',
    comment: '//',
    needsTypes: true,
    emit: async (protocol: Protocol) =>
      (await import('./protocol/emit-protocol.js')).emitProtocol(metamodelOf(protocol)),
  },
  standard: {
    file: 'standard.ts',
    comment: '//',
    needsTypes: true,
    onRequest: true,
    emit: async (protocol: Protocol) =>
      (await import('./standard/emit-standard.js')).emitStandard(protocol),
  },
  metamodel: {
    file: 'metamodel.json',
    onRequest: true,
    emit: (protocol: Protocol) => Promise.resolve(printMetamodel(metamodelOf(protocol))),
  },
} as const satisfies Readonly<Record<string, Emitter>>;

export type Emit = keyof typeof EMITTERS;

/** The files that can be emitted for a protocol, by name. `index.ts` is emitted with `types.ts`. */
export const EMITS = Object.keys(EMITTERS) as readonly Emit[];

export function emitterOf(emit: Emit): Emitter {
  return EMITTERS[emit];
}

/** Those that are emitted unless others are named. */
export const DEFAULT_EMITS: readonly Emit[] = EMITS.filter((emit) => !emitterOf(emit).onRequest);

/** The wanted emitters in order, with `types` where one of them needs it. Nothing asked for means `types`. */
export function emitsFor(asked: readonly Emit[]): Emit[] {
  const withTypes = asked.length === 0 || asked.some((emit) => emitterOf(emit).needsTypes);
  return EMITS.filter((emit) => asked.includes(emit) || (emit === 'types' && withTypes));
}
