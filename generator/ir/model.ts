/**
 * The metamodel of a protocol: what its schema document says of messages. It is pure data that survives `structuredClone`
 * and `JSON.stringify`. The nodes of its definitions are those of `json-schema`.
 */

import type { Definition, Draft, JsonValue } from '../../json-schema/index.js';

/** A side of the connection. */
export type Party = 'client' | 'server';

/** A capability as a path below one party's capabilities: `{ party: 'server', path: ['tools'] }`. */
export interface Capability {
  readonly party: Party;
  readonly path: readonly string[];
}

export interface Request {
  readonly method: string;
  /** The definition of the whole request. */
  readonly definition: string;
  readonly senders: readonly Party[];
  /** `input`: an entry of `inputRequests` in another request's result, not a message. */
  readonly carrier: 'message' | 'input';
  /** `undefined`: the schema gives the request no `params`. */
  readonly params: PropertyType | undefined;
  /** The possible definitions of its result, the usual one first. */
  readonly results: readonly string[];
  /** Whether `params.task` makes the request a task, so that the result may be `CreateTaskResult`. */
  readonly augmentable: boolean;
  /** The capabilities that the receiver has to declare. */
  readonly capabilities: readonly Capability[];
}

export interface Notification {
  readonly method: string;
  readonly definition: string;
  readonly senders: readonly Party[];
  readonly params: PropertyType | undefined;
  readonly capabilities: readonly Capability[];
}

/** A property of the params or of a result. */
export interface PropertyType {
  /** The definition when the property is just a reference to one. */
  readonly definition?: string;
  readonly required: boolean;
}

export interface ErrorCode {
  /** `MethodNotFound` */
  readonly name: string;
  readonly code: number;
  /** The definition that describes it, when the schema has one. */
  readonly definition?: string;
}

/** The data of an extension, which adds messages to a revision. */
export interface Extension {
  /** The id that both sides declare: `io.modelcontextprotocol/tasks`. */
  readonly id: string;
  /** The revision that it extends. */
  readonly extends: string;
}

/** A correction that was made to the schema, because it contradicts the protocol. */
export interface Correction {
  readonly id: string;
  /** The place of the value, as a JSON pointer. */
  readonly pointer: string;
  readonly was: JsonValue;
  readonly becomes: JsonValue;
  readonly reason: string;
}

/** A schema document as a protocol. Any other schema has no messages. */
export interface Protocol {
  /** A revision (`2025-11-25`), or the name of the user's schema. */
  readonly name: string;
  readonly extension?: Extension;
  /** The draft of JSON Schema that it was read as. */
  readonly draft?: Draft;
  /** Sorted by name, in code-unit order. */
  readonly definitions: readonly Definition[];
  /** Sorted by method. */
  readonly requests: readonly Request[];
  /** Sorted by method. */
  readonly notifications: readonly Notification[];
  /** Results that an extension adds to requests of its revision. */
  readonly addedResults: readonly { readonly method: string; readonly result: string }[];
  /** Sorted by code, descending. */
  readonly errors: readonly ErrorCode[];
  /** The reserved `_meta` keys that the schema names, sorted. */
  readonly metaKeys: readonly string[];
  /** What was corrected in the definitions; absent when nothing was. */
  readonly errata?: readonly Correction[];
}
