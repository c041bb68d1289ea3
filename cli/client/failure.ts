import { CallError } from '../../runtime/client/index.js';
import type { CallHandle } from '../../runtime/client/index.js';
import { ERROR_CODES } from '../../runtime/protocol.js';
import { LoginError, PrivateFileError } from '../../runtime/client/node/index.js';
import { statusOf } from './connect/index.js';
import { ConnectionError, diagnose } from './connection-error.js';
import type { ServerLocation } from './location.js';
import type { CommandResult } from './outcome.js';
import { line, plain, resultText } from './text.js';
import { Interrupted, UsageError } from './usage.js';

/**
 * Why there is no result. `usage`: the command line asks for something that does not exist. `unreachable`: no
 * connection, login or valid answer. `refused`: the tool failed, or the server refused the request. `gone`: the task
 * was cancelled, has expired or took too long.
 */
export type Kind = 'usage' | 'unreachable' | 'refused' | 'gone' | 'interrupted';

export interface Explained {
  readonly kind: Kind;
  readonly message: string;
  readonly help?: string | undefined;
  /** For programs: the reason, and what belongs to it. */
  readonly data: object;
  /** The result all the same, for standard output. */
  readonly text?: string;
}

/** A result that is shown, although its structured content is wrong. */
export class InvalidResult extends Error {
  constructor(
    readonly call: CallError,
    readonly outcome: CommandResult,
  ) {
    super(call.message, { cause: call });
  }
}

/** What a command was about, for help. */
export interface About {
  readonly tool?: string | undefined;
  readonly location?: ServerLocation | undefined;
}

const KINDS: Readonly<Record<CallError['reason'], Kind>> = {
  tool_error: 'refused',
  rpc_error: 'refused',
  input_failed: 'refused',
  cancelled: 'gone',
  expired: 'gone',
  timeout: 'gone',
  lost: 'unreachable',
  invalid_answer: 'unreachable',
  invalid_reference: 'unreachable',
};

/** Undefined for an error of this program. */
export function explain(error: unknown, about: About): Explained | undefined {
  if (error instanceof UsageError || error instanceof PrivateFileError) {
    const help = error instanceof UsageError ? error.help : undefined;
    return { kind: 'usage', message: plain(error.message), help, data: { reason: 'usage' } };
  }
  if (error instanceof Interrupted) {
    const message = line(error.message, 500);
    return { kind: 'interrupted', message, data: { reason: 'interrupted' } };
  }
  if (error instanceof ConnectionError) {
    const message = plain(named(error.message));
    return { kind: 'unreachable', message, help: error.help, data: { reason: 'unreachable' } };
  }
  if (error instanceof CallError) return explainCall(error, about);
  if (error instanceof InvalidResult) {
    const { text, data } = error.outcome;
    const explained = explainCall(error.call, about);
    return { ...explained, text, data: { ...explained.data, ...data } };
  }
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof LoginError) && statusOf(error) === undefined) return undefined;
  const message = line(named(error.message), 500);
  return { kind: 'unreachable', message, data: { reason: 'unreachable' } };
}

function explainCall(error: CallError, about: About): Explained {
  const { failure, message, cause } = error;
  const kind = KINDS[failure.reason];
  if (failure.reason === 'tool_error') {
    const said = resultText(failure.result).trimEnd();
    return { kind, message: said || 'The tool failed without a message.', data: failure };
  }
  // The library names its handler, which a user of this program does not have.
  const text =
    failure.reason === 'input_failed' && cause instanceof Error
      ? `A question of the server was not answered: ${cause.message}`
      : message;
  // Its words may read as if they were those of this program: "fetch failed".
  const code = failure.reason === 'rpc_error' ? `JSON-RPC error ${failure.error.code}: ` : '';
  return {
    kind,
    message: line(named(code + text), 500),
    help: helpFor(error, about),
    data: failure,
  };
}

function helpFor({ failure, cause }: CallError, { tool, location }: About): string | undefined {
  if (failure.reason === 'lost' && location) return diagnose(cause, location).help;
  if (failure.reason !== 'rpc_error' || failure.error.code !== ERROR_CODES.InvalidParams)
    return undefined;
  if (tool === undefined) return undefined;
  return `Its arguments: mcp-codegen describe ${line(tool)}`;
}

/** A limit by the name of its option. */
function named(message: string): string {
  return message.replace('(maxMessageBytes)', '(option --max-message)');
}

/** Whether the server does not know the session of the request. */
export function isSessionOver(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 404;
}

/**
 * Reasons that only a task has that has ended, or does not exist any more. A client that cannot answer a question
 * cancels the task, or refuses the question, with which the task fails.
 */
const OVER: ReadonlySet<CallError['reason']> = new Set([
  'cancelled',
  'expired',
  'input_failed',
  'tool_error',
]);

/** Whether the error of a call says that its task is over. Any other task may still run, and is worth a second attempt. */
export function isOver(error: unknown, status: CallHandle['status'] | undefined): boolean {
  if (!(error instanceof CallError)) return false;
  if (error.reason === 'timeout') return status === 'cancelled';
  return OVER.has(error.reason) || (error.reason === 'rpc_error' && status === 'failed');
}
