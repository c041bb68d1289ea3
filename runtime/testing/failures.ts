import { CallError, type ToolResult } from '../client/index.js';
import type { Way } from './ways.js';

/** A call that failed in one way. The message names the tool and the way. */
export function failedIn(
  tool: string,
  way: Way,
  error: unknown,
  reported: readonly Error[],
): CallError {
  const { failure, reference } =
    error instanceof CallError
      ? error
      : { failure: { reason: 'lost' } as const, reference: undefined };
  const message = error instanceof Error ? error.message : String(error);
  const reasons = [...new Set(reported.map((each) => each.message))].join('; ');
  const server = reasons === '' ? '' : ` (the server reported: ${reasons})`;
  return new CallError(failure, `${tool}, ${way}: ${message}${server}`, {
    cause: error,
    reference,
  });
}

/** A tool failed in some of the ways in which it was called. The message names each with its reason. */
export class EachWayError extends Error {
  override readonly name = 'EachWayError';
  readonly failures: readonly (readonly [Way, CallError])[];
  /** Of the other ways. */
  readonly results: readonly (readonly [Way, ToolResult])[];

  constructor(
    tool: string,
    failures: readonly (readonly [Way, CallError])[],
    results: readonly (readonly [Way, ToolResult])[],
  ) {
    const lines = failures.map(([, { message }]) => `\n  ${message}`);
    const others = results.map(([way]) => way).join(', ');
    const succeeded = others === '' ? '' : `\nIt succeeded in: ${others}`;
    super(`${tool} failed in ${failures.length} of its ways:${lines.join('')}${succeeded}`, {
      cause: failures[0]?.[1],
    });
    this.failures = failures;
    this.results = results;
  }
}
