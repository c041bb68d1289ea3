// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** The types of the tables in `protocol.ts`. */

/** Who sends a message. */
export type Party = 'client' | 'server';

/** A key below one side's capabilities that has to be declared. */
export type Capability = { readonly party: Party; readonly path: readonly string[] };

export type RequestInfo = {
  /** The definition of the whole request. */
  readonly definition: string;
  readonly senders: readonly Party[];
  /** `input`: an entry of `inputRequests` in another request's result, not a message. */
  readonly carrier: 'message' | 'input';
  /** The definitions that may answer it, the usual one first. */
  readonly results: readonly string[];
  /** Whether `params.task` turns it into a task. */
  readonly augmentable: boolean;
  /** The capabilities that the receiver has to declare. */
  readonly capabilities: readonly Capability[];
};

export type NotificationInfo = {
  readonly definition: string;
  readonly senders: readonly Party[];
  readonly capabilities: readonly Capability[];
};
