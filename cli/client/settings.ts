import type { JsonObject } from '../../runtime/client/index.js';
import type { GivenToken } from './token.js';

/** What the options of a command line say of calls, apart from the server. */
export interface Settings {
  readonly token: GivenToken | undefined;
  /** Further headers for servers at URLs. */
  readonly headers: Readonly<Record<string, string>>;
  /** The folder for images, audio and files. */
  readonly save: string | undefined;
  /** Whether users may be asked. */
  readonly mayAsk: boolean;
  /** Answers to the forms of the server, in their order. */
  readonly answers: readonly JsonObject[];
  /** Whether the user replies in place of a language model. */
  readonly sampling: boolean;
  /** Folders that the server may ask for, as absolute paths. */
  readonly roots: readonly string[];
  readonly detach: boolean;
  /** Milliseconds. */
  readonly timeout: number | undefined;
  /** Milliseconds. */
  readonly ttl: number | undefined;
  /** Milliseconds; 0 for no limit. */
  readonly silence: number | undefined;
  /** Bytes of one message of a server. */
  readonly maxMessage: number | undefined;
  /** The folder that keeps tasks, if not the usual one. */
  readonly state: string | undefined;
  /** The file that gets every message, as an absolute path. */
  readonly record: string | undefined;
}
