import type { ServerLocation } from './location.js';

/** What a connection to a server needs, with the values of all variables. */
export interface Connection {
  readonly location: ServerLocation;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads it when it is needed. @throws {UsageError} */
  readonly token?: () => string;
  /** Added to the environment of a server that is started. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which a server is started. */
  readonly cwd?: string;
}

/** A server with a name: a saved one, or one of an `mcp.json`. */
export interface NamedServer {
  readonly name: string;
  /** The name with its source, which is exact: `vscode:github`. */
  readonly exact: string;
  /** As it is written in its file: without the values of variables, so that it may be shown and kept. */
  readonly location: ServerLocation;
  /** The folder in which it starts, or of the project whose file has it. Undefined where the current one counts. */
  readonly folder: string | undefined;
  /** Its file, for users. */
  readonly from: string;
  /** Whether the file belongs to a project, which may come from a stranger. */
  readonly isProject: boolean;
  /** Its entry in its file. */
  readonly written?: unknown;
  /** What users must read before it is used. */
  readonly notice: (() => string) | undefined;
  /** What its connection takes from the environment, for users: `x-tenant=$TENANT`. */
  readonly needs: readonly string[];
  /** Resolves its variables. @throws {UsageError} for one without a value. */
  readonly connection: () => Promise<Connection>;
}
