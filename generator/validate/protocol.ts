import type { Party } from './direction.js';

/** One thing that is wrong with a message, as validators say it. */
export interface Fault {
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  readonly message: string;
}

/** The methods of a revision or an extension, and who sends them; by the length of their names. */
export interface Wire {
  readonly methods: readonly (
    readonly { readonly method: string; readonly from?: Party | 'both' | undefined }[] | undefined
  )[];
}

interface CheckOptions {
  readonly from: Party;
  readonly maxErrors: number;
  readonly extensions: readonly Wire[];
  /** The method whose result a response holds. */
  readonly methodOf: () => string | undefined;
}

/** What is needed of a revision's validators. */
export interface Validators {
  readonly wire: Wire;
  readonly validateMessage: (
    value: unknown,
    options: CheckOptions,
  ) => { readonly ok: true } | { readonly ok: false; readonly errors: readonly Fault[] };
  /** Whether messages may come in arrays. */
  readonly batches: boolean;
}

export interface Extension {
  readonly name: string;
  /** What declares it in capabilities. */
  readonly id: string;
  /** The revision that it adds to. */
  readonly extends: string;
  readonly wire: () => Promise<Wire>;
}

/** All revisions and extensions that messages can be checked against. */
export interface Protocols {
  /** By the version that messages name, oldest first. */
  readonly revisions: Readonly<Record<string, () => Promise<Validators>>>;
  readonly extensions: readonly Extension[];
}

/** A revision with the extensions that are in use. */
export interface Dialect {
  readonly revision: string;
  readonly validators: Validators;
  readonly extensions: readonly Wire[];
}

/** Who may send a method; `undefined` for a method that nobody sends. */
export function sendersOf(method: string, dialect: Dialect): Party | 'both' | undefined {
  for (const { methods } of [dialect.validators.wire, ...dialect.extensions]) {
    const known = methods[method.length]?.find((each) => each.method === method);
    if (known?.from) return known.from;
  }
  return undefined;
}
