import { SdkHttpError } from '@modelcontextprotocol/client';
import { EXIT, UsageError } from './exit.js';
import type { ExitCode } from './exit.js';
import { CallError } from '@mcp-codegen/runtime/client';
import { line, plain, resultText } from './text.js';

/** Why there is no result, for people and for programs. */
export interface Explained {
  readonly exit: ExitCode;
  readonly message: string;
  readonly data: object;
}

const EXITS: Readonly<Record<CallError['reason'], ExitCode>> = {
  tool_error: EXIT.refused,
  rpc_error: EXIT.refused,
  input_failed: EXIT.refused,
  cancelled: EXIT.gone,
  expired: EXIT.gone,
  timeout: EXIT.gone,
  lost: EXIT.failed,
  invalid_answer: EXIT.failed,
  invalid_reference: EXIT.failed,
};

export function explain(error: unknown): Explained {
  if (error instanceof UsageError) {
    return { exit: EXIT.usage, message: error.message, data: { reason: 'usage' } };
  }
  if (!(error instanceof CallError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { exit: EXIT.failed, message: plain(named(message)), data: { reason: 'failed' } };
  }
  const { failure, message, cause } = error;
  // What was wrong with an answer is known here, not by the server.
  const why =
    failure.reason === 'input_failed' && cause instanceof Error ? `: ${cause.message}` : '';
  const said =
    failure.reason === 'tool_error'
      ? resultText(failure.result).trimEnd()
      : line(named(message + why), 500);
  return { exit: EXITS[failure.reason], message: said, data: failure };
}

/** A limit by the name of its option. */
function named(message: string): string {
  return message.replace(/\((?:maxMessageBytes|maxBufferSize)\)/g, '(option --max-message)');
}

/** Whether the server does not know the session that it was asked in. */
export function isSessionOver(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SdkHttpError) return [400, 404].includes(cause.data.status);
  }
  return false;
}

/** Whether nothing is left of the task that a call failed with. */
export function isOver(error: unknown): boolean {
  if (!(error instanceof CallError) || error.reason === 'input_failed') return false;
  return error.reference === undefined;
}
