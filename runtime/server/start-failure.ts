const WRONG_USAGE = 2;

/**
 * The errors with which a server may fail to start and whose message says all that there is to say: by their
 * names, because the stores are other entry points.
 */
const EXIT_CODES: Readonly<Record<string, number>> = {
  ConfigError: WRONG_USAGE,
  ListenError: 3,
  /** Of what needs an optional package. */
  MissingPackageError: WRONG_USAGE,
  /** Of the SQLite store. */
  OpenError: 4,
  PostgresError: 4,
};
/** Everything else, which may be a fault of the program: then the stack is printed. */
const UNEXPECTED = 1;

export interface StartFailureOptions {
  /** Prints the stack of every error. Default: of unexpected errors only. */
  readonly debug?: boolean;
  /** A sentence about the settings that mend it, by the error's name. */
  readonly hints?: Readonly<Record<string, string>>;
}

/**
 * Prints on standard error why the program did not start, and ends it. The exit code is 2 for wrong settings, for
 * a database in a folder that does not exist, for an option that `parseArgs` of Node.js refuses, and for a package
 * that is not installed, 3 for an address that it cannot listen at, 4 for a store that it cannot open, and 1 for
 * everything else.
 */
export function exitWithReason(error: unknown, options: StartFailureOptions = {}): never {
  const { debug = false, hints = {} } = options;
  const name = error instanceof Error ? error.name : '';
  const code = isWrongOption(error) || isInMissingFolder(error) ? WRONG_USAGE : EXIT_CODES[name];
  if (code !== undefined) {
    const { message } = error as Error;
    const hint = hints[name];
    console.error(hint === undefined ? message : `${message} ${hint}`);
  }
  if (code === undefined || debug) console.error(error);
  process.exit(code ?? UNEXPECTED);
}

/** Whether a setting names a database in a folder that does not exist. */
function isInMissingFolder(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'OpenError') return false;
  return error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ENOENT';
}

function isWrongOption(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    'code' in error &&
    String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
