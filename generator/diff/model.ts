import type { Party } from '../ir/index.js';

/** The two ends of a message. */
export type Role = 'sender' | 'receiver';

/** One difference inside a definition. */
export interface Change {
  /** `params.arguments`, `tools[].name`, `_meta.*`; empty for the definition itself. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** The old type, in a notation close to TypeScript. */
  readonly before?: string;
  readonly after?: string;
  /**
   * The programs that break when they follow the old protocol and their peers the new one: senders whose
   * messages may be refused, and receivers that may get unexpected messages.
   */
  readonly breaks: readonly Role[];
}

export type ChangeKind =
  /** A property, or a member of a union or an enumeration. */
  | 'added'
  | 'removed'
  | 'now-required'
  | 'now-optional'
  /** The set of valid values changed. */
  | 'changed'
  /** The same values are valid; only the notation changed. */
  | 'restated'
  | 'default';

export interface DefinitionDiff {
  readonly name: string;
  /** The senders of messages that contain it; empty when no message does. */
  readonly sentBy: readonly Party[];
  /** The methods of the messages that contain it, sorted. A request stands for its results too. */
  readonly methods: readonly string[];
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
  /** The affected senders. */
  readonly sentBy: readonly Party[];
  readonly breaks: readonly Role[];
}

/** All differences of two protocols. Each list is sorted by name. */
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
