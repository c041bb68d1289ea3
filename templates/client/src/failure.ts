import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Invocation } from './arguments.js';
import { diagnose, statusOf } from './connection-error.js';
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

export function explain(error: unknown, invocation?: Invocation): Explained {
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
      ? resultText(failure.result).trimEnd() || 'The tool failed, and the server says nothing more.'
      : withHelp(line(named(message + why), 500), helpFor(error, invocation));
  return { exit: EXITS[failure.reason], message: said, data: failure };
}

function withHelp(message: string, help: string | undefined): string {
  if (help === undefined) return message;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${help}`;
}

const INVALID_PARAMS: number = ProtocolErrorCode.InvalidParams;

function helpFor({ failure, cause }: CallError, invocation?: Invocation): string | undefined {
  if (invocation === undefined) return undefined;
  const { command, server } = invocation;
  if (failure.reason === 'lost' && server) return diagnose(cause, server).help;
  if (failure.reason !== 'rpc_error' || failure.error.code !== INVALID_PARAMS) return undefined;
  if (command.name !== 'call') return undefined;
  // Servers have no code for it, and JSON-RPC has none either.
  const isUnknown = /unknown tool|tool .*not found/i.test(failure.error.message);
  return isUnknown
    ? 'All tools: my-mcp-client tools'
    : `Its arguments: my-mcp-client tools ${line(command.tool)}`;
}

/** A limit by the name of its option. */
function named(message: string): string {
  return message.replace(/\((?:maxMessageBytes|maxBufferSize)\)/g, '(option --max-message)');
}

/** Whether the server does not know the session that it was asked in. */
export function isSessionOver(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 404;
}

/** Whether nothing is left of the task that a call failed with. */
export function isOver(error: unknown): boolean {
  if (!(error instanceof CallError) || error.reason === 'input_failed') return false;
  return error.reference === undefined;
}
