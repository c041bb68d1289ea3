import { decode as decode2024_11_05 } from '@mcp-codegen/runtime/2024-11-05/validators';
import { decode as decode2025_03_26 } from '@mcp-codegen/runtime/2025-03-26/validators';
import { decode as decode2025_06_18 } from '@mcp-codegen/runtime/2025-06-18/validators';
import { decode as decode2025_11_25 } from '@mcp-codegen/runtime/2025-11-25/validators';
import { decode as decode2026_07_28 } from '@mcp-codegen/runtime/2026-07-28/validators';
import { wire as tasks } from '@mcp-codegen/runtime/ext-tasks/validators';

export type Side = 'client' | 'server';
export type Id = string | number;

interface Options {
  readonly from: Side;
  /** The method of the request that an answer belongs to. */
  readonly methodOf?: (id: Id) => string | undefined;
}

/** An invalid message. */
export interface Rejected {
  readonly ok: false;
  readonly errors: readonly { readonly message: string }[];
  /** The JSON-RPC error to answer with, if JSON-RPC allows an answer. */
  readonly reply?: object;
}

/** A message as a validator of any revision judges it. Only 2025-03-26 has batches. */
export type Verdict =
  | {
      readonly ok: true;
      readonly kind: 'request' | 'notification' | 'response' | 'error' | 'batch';
    }
  | Rejected;

/** Reads and checks the text of a message. */
type Decode = (text: string, options: Options) => Verdict;

/** The revisions that the gateway can check, each with its validator. */
const VALIDATORS = {
  '2024-11-05': decode2024_11_05,
  '2025-03-26': decode2025_03_26,
  '2025-06-18': decode2025_06_18,
  '2025-11-25': decode2025_11_25,
  '2026-07-28': (text, options) => decode2026_07_28(text, { ...options, extensions: [tasks] }),
} satisfies Record<string, Decode>;

export type Revision = keyof typeof VALIDATORS;

export const REVISIONS = Object.keys(VALIDATORS) as Revision[];

export function isRevision(name: unknown): name is Revision {
  return typeof name === 'string' && Object.hasOwn(VALIDATORS, name);
}

export function decoderOf(revision: Revision): Decode {
  return VALIDATORS[revision];
}
