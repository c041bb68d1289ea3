import type { Party } from '../ir/index.js';

/** The two ends of a message. */
export type Role = 'sender' | 'receiver';

/** One difference inside a definition. */
export interface Change {
  /** `params.arguments`, `tools[].name`, `_meta.*`; empty for the definition itself. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** What stood there, in words close to TypeScript. */
  readonly before?: string;
  readonly after?: string;
  /**
   * Whose program breaks when it was written for the old protocol and its peer follows the new
   * one: a sender whose messages may be refused, a receiver that may get what it does not expect.
   */
  readonly breaks: readonly Role[];
}

export type ChangeKind =
  /** A property, or a member of a union or an enumeration. */
  | 'added'
  | 'removed'
  | 'now-required'
  | 'now-optional'
  /** Other values are valid than before. */
  | 'changed'
  /** The same values are valid, said in another way. */
  | 'restated'
  | 'default';

export interface DefinitionDiff {
  readonly name: string;
  /** Who sends messages that hold it; empty when no message does. */
  readonly sentBy: readonly Party[];
  readonly changes: readonly Change[];
}

export interface MethodSummary {
  readonly method: string;
  readonly kind: 'request' | 'notification';
  readonly senders: readonly Party[];
  readonly breaks: readonly Role[];
}

export interface MethodDiff extends MethodSummary {
  readonly changes: readonly MethodChange[];
}

export interface MethodChange {
  readonly field: 'senders' | 'params' | 'result' | 'capability' | 'carrier';
  readonly before: string;
  readonly after: string;
  /** The senders whom it concerns. */
  readonly sentBy: readonly Party[];
  readonly breaks: readonly Role[];
}

/** Everything in which two protocols differ; each list is sorted by name. */
export interface ProtocolDiff {
  readonly before: string;
  readonly after: string;
  readonly definitions: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly DefinitionDiff[];
  };
  readonly methods: {
    readonly added: readonly MethodSummary[];
    readonly removed: readonly MethodSummary[];
    readonly changed: readonly MethodDiff[];
  };
}
