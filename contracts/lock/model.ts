import type { JsonValue } from '../../json-schema/index.js';

/** The version of the file's form. A program refuses a file of a newer one. */
export const LOCK_VERSION = 1;

/** A JSON object as a server sent it. */
export type Sent = Readonly<Record<string, JsonValue>>;

/** What a server promises: the content of `mcp.lock.json`. */
export interface Lock {
  readonly lockVersion: typeof LOCK_VERSION;
  /** The revision in which the server was asked. */
  readonly revision: string;
  /** What the client declared that asked, where the revision has it: the server may list other tools to other clients. */
  readonly clientCapabilities?: Sent;
  /** Name, title and version, as the server sent them. Absent when the server did not. */
  readonly server?: Sent;
  readonly instructions?: string;
  readonly capabilities: Sent;
  /** As the server sent them, sorted by name. */
  readonly tools: readonly Sent[];
  readonly prompts: readonly Sent[];
  /** Sorted by URI. */
  readonly resources: readonly Sent[];
  /** Sorted by URI template. */
  readonly resourceTemplates: readonly Sent[];
}

/** The lists of a lock, and the key that tells the entries of each apart. */
export const LISTS = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
} as const satisfies Partial<Record<keyof Lock, string>>;

export type ListName = keyof typeof LISTS;
