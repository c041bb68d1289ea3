import type { Capabilities } from '../capabilities.js';
import type { Party } from '../direction.js';
import type { RecordedWith } from '../exchange.js';
import type { Exchanges, OpenRequest } from '../exchanges.js';
import type { Breach, Kind } from '../finding.js';
import type { Dialect, SchemaCheck } from '../protocol.js';
import type { TaskBook } from '../tasks.js';

/** A request or notification with its place in the conversation. */
export interface Call {
  readonly method: string;
  readonly kind: Kind;
  readonly params: unknown;
  readonly from: Party | undefined;
  readonly dialect: Dialect;
  /** The number of earlier messages. */
  readonly before: number;
  readonly record: RecordedWith | undefined;
}

/** A result or an error, with its request. */
export interface AnsweredRequest {
  readonly message: unknown;
  /** `undefined` for an error. */
  readonly result: unknown;
  readonly request: OpenRequest;
  readonly dialect: Dialect;
  readonly before: number;
  readonly record: RecordedWith | undefined;
}

/** What the rules of all subjects share. */
export interface Conversation {
  /** Whether the recording begins with the session. */
  readonly isWhole: boolean;
  readonly exchanges: Exchanges;
  readonly capabilities: Capabilities;
  readonly tasks: TaskBook;
  /** Reads a JSON Schema. Absent where the caller gave none: then values are not compared with schemas. */
  readonly readSchema: SchemaCheck | undefined;
}

/**
 * The rules of one subject. It is called with each message in the order of the recording, and returns the rules that
 * the message breaks. All that it keeps is bounded.
 */
export interface Subject {
  request?(call: Call, request: OpenRequest): readonly Breach[];
  notification?(call: Call): readonly Breach[];
  answer?(answer: AnsweredRequest): readonly Breach[];
}

/** What most messages break. */
export const NOTHING: readonly Breach[] = [];
