import {
  CallError,
  type CallHandle,
  type JsonObject,
  type TaskClient,
  type ToolResult,
} from '../../../runtime/client/index.js';
import { PrivateFileError } from '../../../runtime/client/node/index.js';
import type { Arguments } from '../arguments.js';
import { savedContent } from '../content.js';
import { unknownTool } from './describe.js';
import { convertTexts } from '../convert.js';
import { InvalidResult, isOver } from '../failure.js';
import { done, type CommandResult } from '../outcome.js';
import { unanswered } from '../prompts.js';
import { shownTask, type FollowedTask, type KeptTask } from '../references.js';
import type { CommandContext } from '../session.js';
import { line, plain, resultText } from '../text.js';
import { markOf } from '../token.js';
import { Interrupted } from '../usage.js';
import type { ClientIo } from '../io.js';
import type { Prompter } from '../prompter.js';

/** Calls one tool, as a task if the server makes one of the call. */
export async function call(
  session: CommandContext,
  tool: string,
  given: Arguments,
): Promise<CommandResult> {
  const { settings, io, progress } = session;
  const target = await session.target();
  return await session.with(target, async (client, { token }) => {
    const taking = new AbortController();
    let isTask = false;
    // Until the task is kept, Ctrl-C withdraws the call instead of ending this process.
    const stopListening = io.onInterrupt(() => taking.abort());
    const kept = (reference: string): Promise<FollowedTask> =>
      keep(session, {
        ...{ reference, tool, server: target.server, cwd: target.cwd, saved: target.saved },
        startedAt: new Date().toISOString(),
        session: client.session,
        tokenMark: token === undefined ? undefined : markOf(token),
      });
    try {
      const args = await argumentsFor(client, tool, given);
      const handle = await place(session, client, { tool, args, signal: taking.signal });
      if (handle.reference === undefined) {
        return await resultOutcome(session, tool, await handle.result());
      }
      const task = await kept(handle.reference);
      if (handle.immediateResponse !== undefined) {
        progress.clear();
        io.err.write(`${line(handle.immediateResponse)}\n`);
      }
      isTask = true;
      return settings.detach ? leftRunning(task) : await finish(session, handle, task);
    } catch (error) {
      const reference = error instanceof CallError && !isTask ? error.reference : undefined;
      if (reference !== undefined) io.err.write(`${hint(await kept(reference))}\n`);
      if (isTask || !taking.signal.aborted)
        throw await withResult(session, tool, await unknownOr(error, client, tool));
      throw new Interrupted((error as Error).message, { cause: error });
    } finally {
      stopListening();
    }
  });
}

/** There is no code for an unknown tool, in MCP or in JSON-RPC, and the SDK answers a result: so the list decides. */
async function unknownOr(error: unknown, client: TaskClient, tool: string): Promise<unknown> {
  if (!(error instanceof CallError) || !REFUSALS.has(error.reason)) return error;
  const tools = await client.tools().catch(() => undefined);
  const isKnown = tools === undefined || tools.some(({ name }) => name === tool);
  return isKnown ? error : unknownTool(client, tool, tools);
}

const REFUSALS: ReadonlySet<string> = new Set(['rpc_error', 'tool_error']);

/**
 * Keeps a task. One that cannot be kept runs all the same, so its reference is printed.
 *
 * @throws {PrivateFileError} with `--detach`, because nothing would follow the task.
 */
async function keep(session: CommandContext, task: Omit<KeptTask, 'id'>): Promise<FollowedTask> {
  const { references, settings, progress, io } = session;
  try {
    return await references.keep(task);
  } catch (error) {
    if (!(error instanceof PrivateFileError)) throw error;
    progress.clear();
    io.err.write(`${plain(error.message)}\n${hint(task)}\n`);
    if (settings.detach) throw error;
    return task;
  }
}

async function forget({ references }: CommandContext, { id }: FollowedTask): Promise<void> {
  if (id !== undefined) await references.forget(id);
}

/** Asks the server for the tool's schema only when there are texts to convert. */
async function argumentsFor(
  client: TaskClient,
  tool: string,
  { values, texts }: Arguments,
): Promise<JsonObject> {
  if (Object.keys(texts).length === 0) return values;
  const found = (await client.tools()).find(({ name }) => name === tool);
  return { ...values, ...convertTexts(texts, found?.inputSchema) };
}

interface Placed {
  readonly tool: string;
  readonly args: JsonObject;
  readonly signal: AbortSignal;
}

/** Sends the call. Once it is a task, its signal no longer cancels it. */
async function place(
  { progress, settings: { detach, timeout, ttl } }: CommandContext,
  client: TaskClient,
  { tool, args, signal }: Placed,
): Promise<CallHandle> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await client.start(tool, args, {
      signal: stop.signal,
      onProgress: (news) => progress.progress(news),
      onStatus: (state) => progress.status(state),
      // Questions wait until a client resumes the task.
      ...(detach && { onInput: unanswered }),
      ...(timeout !== undefined && { timeout }),
      ...(ttl !== undefined && { ttl }),
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Waits for a task, and forgets it when it does not exist any more. */
export async function finish(
  session: CommandContext,
  handle: CallHandle,
  task: FollowedTask,
): Promise<CommandResult> {
  try {
    const result = await follow(handle, session);
    if (result === undefined) {
      const { io, settings } = session;
      // Without a terminal the user did not choose to leave the task: the process was interrupted.
      const chose = settings.mayAsk && io.terminal !== undefined;
      return { ...leftRunning(task), end: chose ? 'done' : 'interrupted' };
    }
    const outcome = await resultOutcome(session, task.tool, result);
    // A file that was not saved can be fetched again.
    if (outcome.end === 'unsaved') session.io.err.write(`${hint(task)}\n`);
    else await forget(session, task);
    return outcome;
  } catch (error) {
    session.progress.clear();
    if (isOver(error, handle.status)) await forget(session, task);
    else session.io.err.write(`${hint(task)}\n`);
    throw error;
  }
}

/** An error with the result that it is about, if there is one. */
export async function withResult(
  session: CommandContext,
  tool: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof CallError) || error.failure.reason !== 'invalid_answer') return error;
  const { result } = error.failure;
  return result ? new InvalidResult(error, await resultOutcome(session, tool, result)) : error;
}

/** A result, with its files saved if there is a folder for them. */
export async function resultOutcome(
  session: CommandContext,
  tool: string,
  result: ToolResult,
): Promise<CommandResult> {
  const { paths, end } = await savedContent(result.content, tool, session);
  const saved = session.settings.save === undefined ? {} : { saved: [...paths.values()] };
  return { end, text: resultText(result, paths), data: { result, ...saved } };
}

function leftRunning(task: FollowedTask): CommandResult {
  return done(`${hint(task)}\n`, { task: shownTask(task) });
}

function hint({ id, reference }: FollowedTask): string {
  return id === undefined
    ? `The task is running, and is not kept. Its reference: ${line(reference, 1_000)}`
    : `The task is kept: mcp-codegen tasks resume ${id}`;
}

interface FollowOptions {
  readonly io: ClientIo;
  readonly prompter: Prompter;
}

/**
 * Waits for a call. At Ctrl-C the user chooses whether the task is cancelled or left running, and may leave it
 * at one of its questions.
 * `undefined`: it was left running. Rejects with a `CallError`.
 */
async function follow(
  handle: CallHandle,
  { io, prompter }: FollowOptions,
): Promise<ToolResult | undefined> {
  const over = new AbortController();
  let leave = (): void => undefined;
  const left = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
  });
  const stopLeaving = prompter.onLeave(() => leave());
  let asking = false;
  const stopListening = io.onInterrupt(() => {
    if (asking) return;
    asking = true;
    void decide().finally(() => (asking = false));
  });

  async function decide(): Promise<void> {
    const choice = await prompter.stop(over.signal);
    if (over.signal.aborted || choice === 'go on') return;
    if (choice === 'detach') leave();
    // The result shows whether the server cancelled it.
    else await handle.cancel().catch(() => undefined);
  }

  const result = handle.result();
  result.catch(() => undefined);
  try {
    return await Promise.race([result, left]);
  } finally {
    over.abort();
    stopListening();
    stopLeaving();
  }
}
