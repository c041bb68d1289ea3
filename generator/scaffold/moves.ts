/** What code that was written for an older runtime needs. */
export interface Move {
  /** The module that exported the names. */
  readonly module: string;
  /** A name that it exported. */
  readonly name: string;
  /** The module that exports it now. Without it, `instead` says what to do. */
  readonly to?: string;
  /** What to do, where another import does not do it: one sentence. */
  readonly instead?: string;
}

const SERVER = '@mcp-codegen/runtime/server';
const PROGRAM = '@mcp-codegen/runtime/program';

const OF_PROGRAM = [
  'ClientConfig',
  'exitWithReason',
  'HealthHandle',
  'logOptions',
  'LogOptions',
  'preferSmallHeap',
  'running',
  'RunningServer',
  'runUntilStopped',
  'serveHealth',
  'ServeHealthOptions',
  'StartFailureOptions',
];

/** Every name that the runtime exports from another module than it did, or not any more. */
export const MOVES: readonly Move[] = OF_PROGRAM.map((name) => ({
  module: SERVER,
  name,
  to: PROGRAM,
}));
