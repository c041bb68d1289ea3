import type { Arguments } from '../command.js';
import { savedContent } from '../content.js';
import { convertTexts } from '../convert.js';
import { unanswered } from '../prompts.js';
import type { ServerLocation } from '../location.js';
import { UsageError } from '../exit.js';
import { isOver } from '../failure.js';
import { follow } from '../follow.js';
import type { CallHandle, JsonObject, TaskClient, ToolResult } from '@mcp-codegen/runtime/client';
import { shownTask } from '../references.js';
import type { KeptTask } from '../references.js';
import { done } from '../session.js';
import type { Outcome, Session, Target } from '../session.js';
import { line, resultText } from '../text.js';
import { markOf } from '../token.js';

/** `call`: one tool, as a task where the server makes one of it. */
export async function call(session: Session, tool: string, given: Arguments): Promise<Outcome> {
  const { invocation, io, progress, references } = session;
  const { saved } = invocation;
  const server = serverOf(session);
  return await session.with({ server, saved }, async (client, { token }) => {
    const taking = new AbortController();
    // Until the task is kept Ctrl-C ends nothing: it takes the call back, if that is still possible.
    const stopListening = io.onInterrupt(() => taking.abort());
    try {
      const args = await argumentsFor(client, tool, given);
      const handle = await place(session, client, { tool, args, signal: taking.signal });
      if (handle.reference === undefined) {
        return await resultOutcome(session, tool, await handle.result());
      }
      const kept = await references.keep({
        reference: handle.reference,
        tool,
        server,
        saved,
        startedAt: handle.state?.createdAt ?? new Date().toISOString(),
        session: client.session,
        tokenMark: token === undefined ? undefined : markOf(token),
      });
      if (handle.immediateResponse !== undefined) {
        progress.clear();
        io.messages.write(`${line(handle.immediateResponse)}\n`);
      }
      return invocation.detach ? leftRunning(kept) : await finish(session, handle, kept);
    } finally {
      stopListening();
    }
  });
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

/** Sends the call. What aborts its signal once it is a task is not meant for the task. */
async function place(
  { progress, invocation: { detach, timeout, ttl } }: Session,
  client: TaskClient,
  { tool, args, signal }: Placed,
): Promise<CallHandle> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort);
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

/** Waits for a kept task, and forgets it when nothing is left of it. */
export async function finish(
  session: Session,
  handle: CallHandle,
  kept: KeptTask,
): Promise<Outcome> {
  try {
    const result = await follow(handle, session);
    if (result === undefined) return leftRunning(kept);
    await session.references.forget(kept.id);
    return await resultOutcome(session, kept.tool, result);
  } catch (error) {
    const { status } = handle;
    if (isOver(error) || status === 'failed') await session.references.forget(kept.id);
    else session.io.messages.write(`${hint(kept)}\n`);
    throw error;
  }
}

/** A result, with its files saved if that is wanted. */
export async function resultOutcome(
  session: Session,
  tool: string,
  result: ToolResult,
): Promise<Outcome> {
  const { paths, exit } = await savedContent(result.content, tool, session);
  const saved = session.invocation.save === undefined ? {} : { saved: [...paths.values()] };
  return { exit, text: resultText(result, paths), data: { result, ...saved } };
}

function leftRunning(kept: KeptTask): Outcome {
  return done(`${hint(kept)}\n`, { task: shownTask(kept) });
}

function hint({ id }: KeptTask): string {
  return `The task is kept: my-mcp-client tasks resume ${id}`;
}

/** The server of the command line. @throws {UsageError} */
export function targetOf(session: Session): Target {
  return { server: serverOf(session), saved: session.invocation.saved };
}

/** @throws {UsageError} */
export function serverOf({ invocation: { server } }: Session): ServerLocation {
  if (server) return server;
  throw new UsageError(
    'Which server? --server <url or name>, or -- and the command that starts it.',
  );
}
