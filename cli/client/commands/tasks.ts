import { unanswered } from '../prompts.js';
import { shownServer } from '../location.js';
import { isOver, isSessionOver } from '../failure.js';
import type { CallHandle, FollowOptions, TaskState } from '../../../runtime/client/index.js';
import { shownTask } from '../references.js';
import type { KeptTask } from '../references.js';
import { messageOf } from '../progress.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { CommandContext, Target } from '../session.js';
import { line, table } from '../text.js';
import { finish, resultOutcome, withResult } from './call.js';

/** The tasks that are kept. It asks no server. */
export async function listTasks({ references, io }: CommandContext): Promise<CommandResult> {
  const tasks = await references.list();
  const rows = tasks.map(({ id, tool, startedAt, server }) => [
    id,
    tool,
    startedAt,
    shownServer(server),
  ]);
  return done(rows.length === 0 ? 'No tasks are kept.\n' : table(rows, io), {
    tasks: tasks.map(shownTask),
  });
}

/** The state of a task, with its result if there is one. */
export async function getTask(session: CommandContext, id: string): Promise<CommandResult> {
  return await taken(session, id, false, async (handle, kept) => {
    const { state } = handle;
    const ended = handle.status === 'completed' || handle.status === 'failed';
    const outcome = ended
      ? await resultOutcome(session, kept.tool, await handle.result())
      : undefined;
    const text = `${stateText(handle)}\n${outcome?.text ?? ''}`;
    const data = { task: shownTask(kept), state, ...outcome?.data };
    return { end: outcome?.end ?? 'done', text, data };
  });
}

/** States in the JSON document of `watchTask`. */
const MOST_STATES = 1_000;

/** Prints each state of a task until it ends. It answers no questions. */
export async function watchTask(session: CommandContext, id: string): Promise<CommandResult> {
  return await taken(session, id, false, async (handle, kept) => {
    let stopListening = (): void => undefined;
    const stopped = new Promise<undefined>((resolve) => {
      stopListening = session.io.onInterrupt(() => resolve(undefined));
    });
    const states: TaskState[] = [];
    const watched = (async () => {
      for await (const state of handle) {
        if (states.length < MOST_STATES) states.push(state);
        session.io.err.write(`${stateText(handle)}\n`);
      }
      return handle.state;
    })();
    const state = await Promise.race([watched, stopped]).finally(stopListening);
    watched.catch(() => undefined);
    const text = state ? `${state.status}: mcp-codegen tasks get ${kept.id}\n` : '';
    const data = { task: shownTask(kept), state: state ?? handle.state, states };
    return { end: state === undefined ? 'interrupted' : 'done', text, data };
  });
}

/** Answers the questions of a task and waits for its result, as `call` does. */
export async function resumeTask(session: CommandContext, id: string): Promise<CommandResult> {
  return await taken(session, id, true, (handle, kept) => finish(session, handle, kept));
}

/** Asks the server to cancel a task, and shows how the task ended. */
export async function cancelTask(session: CommandContext, id: string): Promise<CommandResult> {
  return await taken(session, id, false, async (handle, kept) => {
    await handle.cancel();
    // A task that ended before is not cancelled, and keeps its result.
    const cancelled = handle.status === 'cancelled';
    if (cancelled) await session.references.forget(kept.id);
    return done(`${stateText(handle)}\n`, { task: shownTask(kept), state: handle.state });
  });
}

/** Continues a kept task, in its session if that exists. A task that does not exist any more is forgotten. */
async function taken(
  session: CommandContext,
  id: string,
  answers: boolean,
  work: (handle: CallHandle, kept: KeptTask) => Promise<CommandResult>,
): Promise<CommandResult> {
  const kept = await session.references.find(id);
  let handle: CallHandle | undefined;
  const attempt = (target: Target): Promise<CommandResult> =>
    session.with(target, async (client) => {
      try {
        handle = await client.resume(kept.reference, resumeOptions(session, answers));
        handle.result().catch(() => undefined);
        return await work(handle, kept);
      } catch (error) {
        if (isOver(error, handle?.status)) await session.references.forget(kept.id);
        throw await withResult(session, kept.tool, error);
      }
    });
  try {
    return await attempt(kept);
  } catch (error) {
    // A server that does not bind tasks to sessions has the task in another session, too.
    if (kept.session === undefined || handle !== undefined || !isSessionOver(error)) throw error;
    return await attempt({ ...kept, session: undefined });
  }
}

function resumeOptions({ progress, settings }: CommandContext, answers: boolean): FollowOptions {
  if (!answers) return { onInput: unanswered };
  const { timeout } = settings;
  return {
    onProgress: (news) => progress.progress(news),
    onStatus: (state) => progress.status(state),
    ...(timeout !== undefined && { timeout }),
  };
}

function stateText({ status, state }: CallHandle): string {
  const message = state && messageOf(state);
  const words = status.replace('_', ' ');
  return message === undefined ? words : `${words}  ${line(message, Infinity)}`;
}
